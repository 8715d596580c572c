// SPDX-License-Identifier: Apache-2.0
// Two points side by side: axes, metrics, stalls, and what of their configurations differs from the base or from each other.
"use strict";

{
  const {element} = tcsim;

  // Values of the configuration of a point by index of the path, where they differ from the base.
  tcsim.configurationOf = (model, row) => new Map(model.data.configurations[model.run(row).configuration]);

  // "+12.5 %", and whether that is better.
  tcsim.relativeChange = (column, from, to) => {
    if (typeof from !== "number" || typeof to !== "number" || from === to) return {text: from === to ? "equal" : "\u2013", verdict: ""};
    const [before, after] = [from, to].map((value) => tcsim.costOf(column, value));
    const text = from === 0 ? "\u2013" : `${tcsim.formatChange((100 * (to - from)) / Math.abs(from))} %`;
    if (before === after) return {text, verdict: ""};
    return {text, verdict: after < before ? "better" : "worse"};
  };

  const tableOf = (caption, heads, rows) => {
    const head = element("thead", {}, element("tr", {}, heads.map((text) => element("th", {scope: "col"}, text))));
    return [
      element("h3", {}, caption),
      element("div", {class: "scroll"}, element("table", {"data-table": caption}, head, element("tbody", {}, rows)))
    ];
  };
  const cell = (text, classes = null) => element("td", {class: classes}, text);
  const head = (text, title = null) => element("th", {scope: "row", title}, text);

  const axisRows = (model, points) => [model.workload, ...model.axes].map((column) => {
    const values = points.map((row) => column.values[row]);
    const isDifferent = values.some((value) => value !== values[0]);
    return element(
        "tr", {class: isDifferent ? "different" : null}, head(column.title, column.description),
        values.map((value) => cell(column.format(value), "number")));
  });

  const metricRows = (model, points) => [...model.metrics, model.status].map((column) => {
    const values = points.map((row) => column.values[row]);
    const cells = points.map((row) => cell(tcsim.formatWithRange(column, row), "number"));
    if (points.length === 2) {
      const change = column.kind === "metric" ? tcsim.relativeChange(column, ...values) : {text: "", verdict: ""};
      const chance = column.kind === "metric" && change.verdict !== "" ? tcsim.chanceVerdict(column, ...points) : null;
      const isTold = chance === null || chance === "real";
      const {text, verdict} = isTold ? change : {text: `${change.text}, ${chance}`, verdict: ""};
      cells.push(cell(verdict ? `${text} ${verdict}` : text, `number ${{better: "good", worse: "bad"}[verdict] ?? "faint"}`));
    }
    return element("tr", {}, head(column.title, column.description), cells);
  });

  const stallRows = (model, kind, points) => {
    const shares = points.map((row) => tcsim.stallShares(model, kind, row));
    if (shares.includes(null)) return [];
    return model.data.causes.map((cause, index) => ({cause, values: shares.map((each) => each[index])}))
        .filter(({values}) => values.some((value) => value > 0))
        .map(({cause, values}) => {
          const cells = values.map((value) => cell(tcsim.formatPercent(value), "number"));
          if (points.length === 2) cells.push(cell(tcsim.formatChange(100 * (values[1] - values[0])), "number"));
          return element("tr", {}, head(cause.text), cells);
        });
  };

  const configurationRows = (model, points) => {
    const changed = points.map((row) => tcsim.configurationOf(model, row));
    const paths = [...new Set(changed.flatMap((values) => [...values.keys()]))].sort((a, b) => a - b);
    return paths.map((path) => {
      const base = model.data.base_values[path];
      const values = changed.map((each) => (each.has(path) ? each.get(path) : base));
      const isDifferent = values.some((value) => JSON.stringify(value) !== JSON.stringify(values[0]));
      return element(
          "tr", {class: isDifferent ? "different" : null}, head(model.data.paths[path]),
          [base, ...values].map((value) => cell(tcsim.formatValue(value), "number")));
    });
  };

  // An axis of bases has no base that all points start from: then the first one is what they are held against.
  const baseHeads = (model) => {
    const {base} = model.data.sweep;
    return model.bases ? [`differs from ${base}, the first of ${model.bases.name}`, base] : ["differs from the base", `base (${base})`];
  };

  const commands = (model, points) =>
      points.filter((row) => model.run(row).command)
          .flatMap(
              (row) => [element("h3", {}, `To repeat point ${model.data.points.number[row]}`), element("pre", {}, model.run(row).command)]);

  const comparisonOf = (model, points) => {
    const names = points.map((row) => `point ${model.data.points.number[row]}`);
    const difference = points.length === 2;
    const content = [
      ...tableOf("Axes", ["", ...names], axisRows(model, points)),
      ...tableOf("Metrics", ["", ...names, ...(difference ? ["change"] : [])], metricRows(model, points)),
    ];
    const stalls = stallRows(model, "issue_slots", points);
    if (stalls.length > 0) content.push(...tableOf("Issue slots", ["", ...names, ...(difference ? ["change [% points]"] : [])], stalls));
    const configuration = configurationRows(model, points);
    if (configuration.length > 0)
      content.push(...tableOf("Configuration", [...baseHeads(model), ...names], configuration));
    else
      content.push(element("h3", {}, "Configuration"), element("p", {class: "faint"}, `As ${model.data.sweep.base}.`));
    return [...content, ...commands(model, points)];
  };

  tcsim.comparisonView = (host, model, state) => {
    const chosen = [undefined, undefined];
    const controls = element("div", {class: "controls"});
    const content = element("div", {class: "comparison"});

    const draw = () => {
      const selected = state.selected();
      for (const i of [0, 1]) {
        if (!selected.includes(chosen[i])) chosen[i] = selected.find((row) => !chosen.includes(row));
      }
      const points = chosen.filter((row) => row !== undefined);
      const options = selected.map((row) => ({value: String(row), text: model.name(row)}));
      const select = (i, name) => tcsim.labelledSelect(name, options, String(chosen[i]), (value) => {
        const row = Number(value);
        if (chosen[1 - i] === row) chosen[1 - i] = chosen[i];
        chosen[i] = row;
        draw();
      });
      controls.replaceChildren(...(selected.length >= 2 ? [select(0, "point"), select(1, "with")] : []));
      content.replaceChildren(
          ...(points.length === 0 ? [element("p", {class: "faint"}, "Select two points in a chart or a table to compare them.")] :
                                    comparisonOf(model, points)));
    };
    host.append(controls, content);
    state.subscribe((change) => change === "selection" && draw());
    draw();
  };
}
