// SPDX-License-Identifier: Apache-2.0
// The Pareto front of two columns: the points than which no other is better in one and as good in the other.
"use strict";

{
  const {element} = tcsim;

  // Rows of the front, best in `first` first. Points of equal values are all on it.
  tcsim.paretoFront = (rows, first, second) => {
    const cost = (column, row) => tcsim.costOf(column, column.values[row]);
    const candidates = rows.filter((row) => first.values[row] !== null && second.values[row] !== null)
                           .sort((a, b) => cost(first, a) - cost(first, b) || cost(second, a) - cost(second, b) || a - b);
    const front = [];
    for (const row of candidates) {
      const last = front[front.length - 1];
      const isEqual = last !== undefined && cost(first, row) === cost(first, last) && cost(second, row) === cost(second, last);
      if (last === undefined || isEqual || cost(second, row) < cost(second, last)) front.push(row);
    }
    return front;
  };

  // Points of different workloads are no alternatives to each other: each workload has a front of its own.
  tcsim.paretoFronts = (model, rows, first, second) => {
    const good = rows.filter(model.hasResult);
    return model.workload.distinct
        .map(
            (workload) =>
                ({workload, rows: tcsim.paretoFront(good.filter((row) => model.workload.values[row] === workload), first, second)}))
        .filter((front) => front.rows.length > 0);
  };

  // The two columns that the sweep names, else the first two metrics of which different points have different values.
  tcsim.paretoChoice = (model) => {
    const numeric = model.plotted.filter((column) => column.isNumeric && column.kind !== "cost");
    const named = (model.data.pareto ?? []).map(model.column).filter((column) => column && column.isNumeric);
    const varied = numeric.filter((column) => column.kind === "metric" && column.distinct.length > 1);
    const found = [...new Set([...named, ...varied, ...numeric])];
    return found.length < 2 ? null : found.slice(0, 2);
  };

  // Whether a point is better in one column by more than chance makes, and not known to be worse in the other.
  const beats = (columns, row, other) => {
    const orders = columns.map((column) => tcsim.compareRows(column, row, other));
    return orders.some((order) => order < 0) && orders.every((order) => order <= 0);
  };

  const numbersText = (model, rows) => {
    const most = 8;
    const shown = rows.slice(0, most).map((row) => `#${model.data.points.number[row]}`).join(", ");
    return rows.length > most ? `${shown} and ${rows.length - most} more` : shown;
  };

  // Which points may be on a front by chance, or off it; empty where points ran once, or all is clear.
  tcsim.paretoChance = (model, rows, fronts, columns) => {
    if (columns.every(({varied}) => varied === null)) return "";
    const alike = (front) => rows.filter(
        (row) =>
            model.hasResult(row) && model.workload.values[row] === front.workload && columns.every(({values}) => values[row] !== null));
    const on = fronts.flatMap((front) => front.rows.filter((row) => alike(front).some((other) => beats(columns, other, row))));
    const off = fronts.flatMap(
        (front) => alike(front).filter((row) => !front.rows.includes(row) && !front.rows.some((other) => beats(columns, other, row))));
    const texts = [];
    if (on.length > 0) texts.push(`on it by no more than chance makes: ${numbersText(model, on)}`);
    if (off.length > 0) texts.push(`behind it by no more than chance makes: ${numbersText(model, off)}`);
    return texts.length === 0 ? "" : ` Within chance, ${texts.join("; ")}.`;
  };

  const directionText = ({better, name}) => ({more: `higher ${name}`, less: `lower ${name}`, nearest_zero: `${name} nearer to 0`})[better];

  // Along what one of the points reaches, or a worse one. Of what is best near 0 there are worse ones on both sides.
  const steps = (x, y) => {
    if (x.better === "nearest_zero" || y.better === "nearest_zero") return false;
    return x.better === "more" ? "after" : "before";
  };

  const frontTable = (model, state, fronts, columns) => {
    const shown = [
      model.column("point"), ...(model.hasWorkloads ? [model.workload] : []), ...model.axes.filter((axis) => !columns.includes(axis)),
      ...columns
    ];
    const heads = shown.map((column) => element("th", {scope: "col", class: column.isNumeric ? "number" : null}, column.title));
    const rows = fronts.flatMap((front) => front.rows).map((row) => tcsim.selectableRow(model, state, row, shown));
    const head = element("thead", {}, element("tr", {}, tcsim.selectionHead(), heads));
    return element("table", {id: "front-table"}, head, element("tbody", {}, rows));
  };

  tcsim.paretoView = (host, listHost, model, state) => {
    const choice = tcsim.paretoChoice(model);
    if (!choice) {
      host.append(element("p", {class: "faint"}, "There are no two numbers to weigh against each other."));
      return;
    }
    const legend = element("div");
    const note = element("p", {class: "faint"});
    const list = element("div", {class: "scroll list"});

    const describe = (row) => model.describe(row, choice);

    const draw = () => {
      const [x, y] = choice;
      const fronts = tcsim.paretoFronts(model, state.shown(), x, y);
      const onFront = new Set(fronts.flatMap((front) => front.rows));
      const colours = tcsim.colouring(model.workload);
      const faint = tcsim.theme().dim;
      const points = tcsim.placedPoints(
          state.shown().filter(model.hasResult), x, y, false, false, (row) => (onFront.has(row) ? colours.of(row) : faint));
      points.sort((a, b) => Number(onFront.has(a.row)) - Number(onFront.has(b.row)));  // the front is drawn above the others
      const line = (front) => ({
        colour: colours.of(front.rows[0]),
        stepped: steps(x, y),
        points: tcsim.placedPoints(front.rows, x, y, false, false, colours.of).sort((a, b) => a.x - b.x)
      });
      chart.show({
        x: tcsim.chartAxis(x, false),
        y: tcsim.chartAxis(y, false),
        points,
        isMarked: state.isSelected,
        lines: fronts.map(line),
        label: `Pareto front of ${x.name} and ${y.name}, ${tcsim.counted(onFront.size, "point")} on it`,
      });
      const better = [...new Set(choice)].map(directionText).join(" and ");
      const own = model.hasWorkloads ? "; each workload has its own" : "";
      note.textContent = `Better: ${better}. ${onFront.size} of ${tcsim.counted(points.length, "point")} on the front${own}.${
          tcsim.paretoChance(model, state.shown(), fronts, choice)}`;
      legend.replaceChildren(model.hasWorkloads ? colours.legend() : tcsim.legend([]));
      list.replaceChildren(frontTable(model, state, fronts, choice));
    };

    const options = model.plotted.filter((column) => column.isNumeric).map((column) => ({value: column.name, text: column.title}));
    const set = (index) => (name) => {
      choice[index] = model.column(name);
      draw();
    };
    host.append(element(
        "div", {class: "controls"}, tcsim.labelledSelect("x", options, choice[0].name, set(0)),
        tcsim.labelledSelect("y", options, choice[1].name, set(1))));
    const chart = tcsim.pointChart("pareto", host, describe, state.toggle);
    host.append(legend, note);
    listHost.append(list);
    const mark = () => {
      chart.mark();
      tcsim.markSelected(list.querySelector("tbody"), state);
    };
    state.subscribe((change) => ({filter: draw, selection: mark})[change]?.());
    draw();
  };
}
