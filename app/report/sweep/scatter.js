// SPDX-License-Identifier: Apache-2.0
// Points, or lines through them, over any two columns, coloured by a third.
"use strict";

{
  const {element} = tcsim;
  const kinds = [
    {value: "points", text: "points"},
    {value: "best", text: "lines: best of each x"},
    {value: "mean", text: "lines: mean of each x"},
  ];
  const fewTicks = 10;

  // Where a value of a column lies on an axis: texts stand side by side.
  const placeOf = (column) => {
    if (column.isNumeric) return (row) => column.values[row];
    const places = new Map(column.distinct.map((value, index) => [value, index]));
    return (row) => places.get(column.values[row]) ?? null;
  };

  tcsim.chartAxis = (column, log) => ({
    title: column.title,
    log,
    categories: column.isNumeric ? null : column.distinct.map(String),
    ticks: column.kind === "axis" && column.distinct.length <= fewTicks ? column.distinct : null,
  });

  // Few values have a colour each, many numbers lie on a ramp.
  tcsim.colouring = (column) => {
    if (!column) return {of: () => tcsim.categoryColour(0), groups: [null], groupOf: () => null, legend: () => tcsim.legend([])};
    if (!column.isNumeric || column.distinct.length <= 8) {
      const colours = new Map(column.distinct.map((value, index) => [value, tcsim.categoryColour(index)]));
      const entries = column.distinct.map((value) => ({name: `${column.name} ${column.format(value)}`, colour: colours.get(value)}));
      return {
        of: (row) => colours.get(column.values[row]) ?? tcsim.theme().faint,
        groups: column.distinct,
        groupOf: (row) => column.values[row],
        legend: () => tcsim.legend(entries.length <= tcsim.categoryColours ? entries : []),
      };
    }
    const least = column.distinct[0];
    const most = column.distinct[column.distinct.length - 1];
    return {
      of: (row) => (column.values[row] === null ? tcsim.theme().faint : tcsim.rampColour((column.values[row] - least) / (most - least))),
      groups: [null],
      groupOf: () => null,
      legend: () => tcsim.rampLegend(column.title, column.format(least), column.format(most)),
    };
  };

  // Where the runs of a point lie that chance sets apart; null: there is one run, or they are equal.
  const rangeOf = ({least, most}, row) =>
      (least !== null && typeof least[row] === "number" && least[row] < most[row] ? [least[row], most[row]] : null);

  // The points that have both values; a logarithmic axis has no place for those that are not positive.
  tcsim.placedPoints = (rows, x, y, logX, logY, colourOf) => {
    const [placeX, placeY] = [placeOf(x), placeOf(y)];
    const fits = (value, column, log) => value !== null && (!log || !column.isNumeric || value > 0);
    return rows.map((row) => ({row, x: placeX(row), y: placeY(row), colour: colourOf(row), range: rangeOf(y, row)}))
        .filter((point) => fits(point.x, x, logX) && fits(point.y, y, logY));
  };

  const summaries = {
    best: (values, column) => values.reduce((best, value) => (tcsim.costOf(column, value) < tcsim.costOf(column, best) ? value : best)),
    mean: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
  };

  // One line for each colour, through one value for each x.
  const linesThrough = (points, column, colours, summary) => colours.groups.map((group) => {
    const members = points.filter((point) => colours.groupOf(point.row) === group);
    const byX = new Map();
    for (const {x, y} of members) byX.has(x) ? byX.get(x).push(y) : byX.set(x, [y]);
    const through = [...byX.entries()].sort(([a], [b]) => a - b).map(([x, values]) => ({x, y: summary(values, column)}));
    return {points: through, colour: members.length > 0 ? members[0].colour : tcsim.theme().faint};
  });

  // Two axes of which x has several values, else whatever there is.
  const firstChoice = (model) => {
    const varied = model.axes.filter((axis) => axis.distinct.length > 1);
    const x = varied[0] ?? model.plotted[0];
    const y = model.metrics.find((metric) => metric.isNumeric) ?? model.plotted[model.plotted.length - 1];
    const colour = model.hasWorkloads ? model.workload : varied[1] ?? null;
    return {x: x.name, y: y.name, colour: colour ? colour.name : "", kind: "points", logX: false, logY: false};
  };

  tcsim.scatterView = (host, model, state) => {
    const choice = firstChoice(model);
    const legend = element("div");
    const note = element("p", {class: "faint"});
    const describe = (row) => model.describe(row, [choice.x, choice.y, choice.colour].filter(Boolean).map(model.column));

    const draw = () => {
      const [x, y, colour] = [choice.x, choice.y, choice.colour].map(model.column);
      const colours = tcsim.colouring(colour);
      const points = tcsim.placedPoints(state.shown(), x, y, choice.logX, choice.logY, colours.of);
      chart.show({
        x: tcsim.chartAxis(x, choice.logX),
        y: tcsim.chartAxis(y, choice.logY),
        points,
        isMarked: state.isSelected,
        lines: choice.kind === "points" ? [] : linesThrough(points, y, colours, summaries[choice.kind]),
        label: `${y.name} over ${x.name}, ${tcsim.counted(points.length, "point")}`,
      });
      legend.replaceChildren(colours.legend());
      const left = state.shown().length - points.length;
      note.textContent = left === 0 ? "" :
                                      `${tcsim.counted(left, "point")} not drawn: without one of the values${
                                          choice.logX || choice.logY ? ", or not positive on a logarithmic axis" : ""}.`;
    };

    const set = (name) => (value) => {
      choice[name] = value;
      draw();
    };
    const columns = model.plotted.map((column) => ({value: column.name, text: column.title}));
    host.append(element(
        "div", {class: "controls"}, tcsim.labelledSelect("x", columns, choice.x, set("x")),
        tcsim.labelledSelect("y", columns, choice.y, set("y")),
        tcsim.labelledSelect("colour", [{value: "", text: "one for all"}, ...columns], choice.colour, set("colour")),
        tcsim.labelledSelect("draw", kinds, choice.kind, set("kind")), tcsim.labelledCheckbox("log x", choice.logX, set("logX")),
        tcsim.labelledCheckbox("log y", choice.logY, set("logY"))));
    const chart = tcsim.pointChart("scatter", host, describe, state.toggle);
    host.append(legend, note);
    state.subscribe((change) => ({filter: draw, selection: chart.mark})[change]?.());
    draw();
  };
}
