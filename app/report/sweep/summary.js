// SPDX-License-Identifier: Apache-2.0
// The sweep in words: what was run, what failed, which points are best.
"use strict";

{
  const {element} = tcsim;

  const best = (model, column, workload) => {
    const rows = model.rows.filter((row) => model.hasResult(row) && model.workload.values[row] === workload && column.values[row] !== null);
    const isBetter = (row, other) => tcsim.costOf(column, column.values[row]) < tcsim.costOf(column, column.values[other]);
    return rows.reduce((found, row) => (found === null || isBetter(row, found) ? row : found), null);
  };

  const countText = (model) => {
    const failed = model.rows.filter(model.isFailed).length;
    const unfinished = model.rows.filter(model.isUnfinished).length;
    const workloads = model.workload.distinct.length;
    const axes = model.axes.map((axis) => `${axis.name} (${tcsim.counted(axis.distinct.length, "value")})`);
    const parts = model.data.sweep.repeat > 1 ? [`Each point is the median of ${model.data.sweep.repeat} runs varied by chance.`] : [];
    parts.push(`${tcsim.counted(model.rows.length, "point")}: ${tcsim.counted(workloads, "workload")}${
        axes.length > 0 ? `, ${axes.join(", ")}` : ""}.`);
    parts.push(failed === 0 ? "None failed." : `${tcsim.counted(failed, "point")} failed.`);
    const warned = model.rows.filter((row) => model.run(row).warnings.length > 0).length;
    if (warned > 0) parts.push(`${tcsim.counted(warned, "point")} with warnings.`);
    if (unfinished > 0) parts.push(`${tcsim.counted(unfinished, "point")} not run yet.`);
    return parts.join(" ");
  };

  // How many other points of the workload are not known to differ from one.
  const pointsWithinChance = (model, column, row) => model.rows
                                                         .filter((other) => {
                                                           const isAlike =
                                                               other !== row && model.workload.values[other] === model.workload.values[row];
                                                           const verdict = isAlike ? tcsim.chanceVerdict(column, row, other) : null;
                                                           return verdict !== null && verdict !== "real";
                                                         })
                                                         .length;

  const mostItems = 8;

  const extremes = {more: "Highest", less: "Lowest", nearest_zero: "Nearest to 0:"};

  // With an axis of bases there is not one that all points start from.
  const baseText = ({bases, data: {sweep}}) => {
    const names =
        bases ? `Base configurations, by the axis ${bases.name}: ${bases.distinct.join(", ")}.` : `Base configuration: ${sweep.base}.`;
    return sweep.fixed_code ? `${names} Code made for ${bases ? "them" : "it"} runs on all machines.` : names;
  };

  // What keeps dependent instructions apart. Results of an older tcsim do not say it.
  const hazardsText = ({data: {sweep}}) => {
    if (sweep.hazards === "silicon") return "Hazards at all points: control codes alone, as on silicon.";
    if (sweep.hazards === "interlock") return "Hazards at all points: control codes and the scoreboard (interlock).";
    return sweep.hazards === "mixed" ? "Hazards: points have different rules, and differ by them too." : "";
  };

  const metricsToTell = (model) => {
    const varied = model.metrics.filter((metric) => metric.isNumeric && metric.distinct.length > 1);
    const weighed = (tcsim.paretoChoice(model) ?? []).filter((column) => varied.includes(column));
    return [...new Set([...weighed, ...varied])].slice(0, Math.max(2, Math.floor(mostItems / model.workload.distinct.length)));
  };

  // Of a few workloads the best in each metric, of more those that matter most.
  const bestItems = (model, state) =>
      metricsToTell(model)
          .flatMap((metric) => model.workload.distinct.map((workload) => {
            const row = best(model, metric, workload);
            if (row === null) return null;
            const button = tcsim.selectButton(model, state, row, model.name(row));
            const equal = pointsWithinChance(model, metric, row);
            const chance = equal === 0 ? "" : `; ${tcsim.counted(equal, "other point")} within chance`;
            return element(
                "li", {}, `${extremes[metric.better]} ${metric.title}: ${tcsim.formatWithRange(metric, row)} at `, button, chance);
          }))
          .filter(Boolean)
          .slice(0, mostItems);

  tcsim.summaryView = (host, model, state) => {
    const {sweep} = model.data;
    host.append(element("p", {class: "kind faint"}, "Sweep"), element("h1", {}, sweep.name));
    if (sweep.description) host.append(element("p", {}, sweep.description));
    host.append(element("p", {}, [baseText(model), hazardsText(model), countText(model)].filter(Boolean).join(" ")));
    const {notes} = model.data;
    if (notes.length > 0)
      host.append(element("ul", {class: "notes", id: "notes"}, notes.map((text) => element("li", {}, `Note: ${text}.`))));
    const items = bestItems(model, state);
    if (model.rows.every((row) => !model.hasResult(row)))
      host.append(element("p", {class: "bad"}, "No point has finished: there is nothing to plot."));
    else if (items.length > 0)
      host.append(element("ul", {class: "best"}, items));
  };

  // What is shown and selected, always in sight.
  tcsim.statusBar = (host, model, state) => {
    const text = element("span", {"aria-live": "polite", id: "status-text"});
    const filters = element("button", {type: "button", id: "clear-filters", onclick: state.clearFilters}, "Clear filters");
    const selection = element("button", {type: "button", id: "clear-selection", onclick: () => state.select([])}, "Clear selection");
    const update = () => {
      text.textContent = `${tcsim.formatNumber(state.shown().length)} of ${tcsim.counted(model.rows.length, "point")} shown, ${
          state.selected().length} selected`;
      filters.disabled = state.filterCount() === 0;
      selection.disabled = state.selected().length === 0;
    };
    host.append(text, filters, selection);
    state.subscribe(update);
    update();
  };
}
