// SPDX-License-Identifier: Apache-2.0
// Where the cycles of the selected points went: a bar for each, a colour for each cause.
"use strict";

{
  const {element} = tcsim;
  const most = 12;  // bars
  const hint = "Select points in a chart or a table to see where their cycles went.";
  const kinds = [
    {value: "issue_slots", text: "issue slots of the sub-cores"},
    {value: "stalls", text: "cycles of the warps"},
  ];

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

  tcsim.stallShares = (model, kind, row) => {
    const counts = model.data[kind][model.runIndex(row)];
    if (!counts) return null;
    const total = sum(counts);
    return counts.map((count) => (total === 0 ? 0 : count / total));
  };

  const occurringCauses = (model, kind) =>
      tcsim.colouredCauses(model.data.causes, (index) => model.data[kind].some((counts) => counts && counts[index] > 0));

  const partsOf = (model, kind, rows, asShares) => {
    const countsOf = (row) => (asShares ? tcsim.stallShares(model, kind, row) : model.data[kind][model.runIndex(row)]);
    const parts = occurringCauses(model, kind).map(({index,
                                                     text,
                                                     colour}) => ({name: text, colour, values: rows.map((row) => countsOf(row)[index])}));
    return parts.filter((part) => sum(part.values) > 0);
  };

  tcsim.stallView = (host, model, state) => {
    const choice = {kind: "issue_slots", asShares: true};
    const note = element("p", {class: "faint"});
    const box = element("div");
    const legend = element("div");
    const draw = () => {
      const rows = state.selected().filter((row) => model.data[choice.kind][model.runIndex(row)]);
      const drawn = rows.slice(0, most);
      box.hidden = legend.hidden = drawn.length === 0;
      note.textContent = rows.length === 0 ? hint : rows.length > most ? `The first ${most} of ${rows.length} selected points.` : "";
      if (drawn.length === 0) return;
      const parts = partsOf(model, choice.kind, drawn, choice.asShares);
      chart.show({
        labels: drawn.map(model.shortName),
        parts,
        title: choice.asShares       ? "share" :
            choice.kind === "stalls" ? "cycles of warps" :
                                       "issue slots",
        format: choice.asShares ? tcsim.formatPercent : tcsim.formatNumber,
        max: choice.asShares ? 1 : undefined,
        label: "Causes of stalls of the selected points; the comparison has the numbers",
      });
      legend.replaceChildren(tcsim.legend(parts));
    };
    const set = (name) => (value) => {
      choice[name] = value;
      draw();
    };
    host.append(
        element(
            "div", {class: "controls"}, tcsim.labelledSelect("of", kinds, choice.kind, set("kind")),
            tcsim.labelledCheckbox("as shares", choice.asShares, set("asShares"))),
        note, box, legend);
    const chart = tcsim.barChart("stalls", box);
    state.subscribe((change) => change === "selection" && draw());
    draw();
  };
}
