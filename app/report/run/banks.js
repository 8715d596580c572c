// SPDX-License-Identifier: Apache-2.0
// Register banks over time.
"use strict";

{
  const {element} = tcsim;
  const allKinds = [
    {value: "read", text: "reads"},
    {value: "conflict", text: "conflicts"},
    {value: "write", text: "writes"},
  ];
  const gutter = 150;
  const rowHeight = 16;

  // From records, or else from counters in intervals: {intervals: [{begins, ends}], rows: [{path, read, conflict, write}]}; null without.
  // Conflicts are null where reads do not wait for a port.
  tcsim.bankMap = (model) => {
    const {banks} = model.pictures;
    if (banks) {
      const count = Math.max(...banks.banks.map(({read}) => read.length));
      const last = model.run.cycles;
      const intervals =
          Array.from({length: count}, (unused, index) => ({
                                        begins: index * banks.interval,
                                        ends: Math.min(Math.max(last, index * banks.interval + 1), (index + 1) * banks.interval),
                                      }));
      return {intervals, rows: banks.banks};
    }
    if (!model.series) return null;
    const {intervals, units, joined} = model.series;
    const rows = Object.entries(units)
                     .filter(([path]) => /\.bank_\d+$/.test(path))
                     .filter(([, unit]) => unit.rows_read)
                     .map(([path, unit]) => ({
                            path,
                            read: joined(unit.rows_read),
                            conflict: unit.read_wait_cycles ? joined(unit.read_wait_cycles) : null,
                            write: joined(unit.rows_written),
                          }));
    return rows.length > 0 ? {intervals, rows} : null;
  };

  tcsim.bankView = (host, model) => {
    const map = tcsim.bankMap(model);
    if (!map) {
      host.append(tcsim.absenceNote(model, "No register was read or written."));
      return;
    }
    const sms = tcsim.smsOf(map.rows.map(({path}) => path));
    const kinds = allKinds.filter(({value}) => map.rows.every((row) => row[value]));
    const choice = {kind: "read", sm: sms[0]};
    const legend = element("div");
    const rowsShown = () => map.rows.filter(({path}) => tcsim.smOf(path) === choice.sm);
    const share = (row, index) => {
      const {begins, ends} = map.intervals[index];
      return row[choice.kind][index] / Math.max(1, ends - begins);
    };
    const most = () => Math.max(...map.rows.flatMap((row) => map.intervals.map((interval, index) => share(row, index))), 1e-9);
    const end = map.intervals[map.intervals.length - 1].ends;
    const first = map.intervals[0].begins;
    const xOf = (cycle, width) => gutter + (width - gutter) * (cycle - first) / Math.max(1, end - first);

    const draw = (context, width) => {
      const theme = tcsim.theme();
      const highest = most();
      rowsShown().forEach((row, place) => {
        const y = place * rowHeight;
        context.fillStyle = theme.text;
        context.fillText(tcsim.fittedText(context, tcsim.shortPath(row.path), gutter - 8), 0, y + rowHeight / 2);
        map.intervals.forEach(({begins, ends}, index) => {
          const value = share(row, index);
          context.fillStyle = value > 0 ? tcsim.rampColour(value / highest) : theme.raised;
          const left = Math.floor(xOf(begins, width));
          context.fillRect(left, y, Math.ceil(xOf(ends, width)) - left, rowHeight - 1);
        });
      });
    };
    const describe = (x, y) => {
      const row = rowsShown()[Math.floor(y / rowHeight)];
      const cycle = first + (x - gutter) / (view.width() - gutter) * (end - first);
      const index = map.intervals.findIndex(({begins, ends}) => cycle >= begins && cycle < ends);
      if (!row || x < gutter || index < 0) return null;
      const {begins, ends} = map.intervals[index];
      return [
        row.path, `cycles ${tcsim.formatNumber(begins)} to ${tcsim.formatNumber(ends)}`,
        ...kinds.map(({value, text}) => `${text}: ${tcsim.formatNumber(row[value][index])}`)
      ];
    };
    const update = () => {
      view.redraw();
      legend.replaceChildren(
          tcsim.rampLegend(kinds.find(({value}) => value === choice.kind).text, "none", `${most().toFixed(2)} per cycle`));
    };
    const set = (name) => (value) => {
      choice[name] = value;
      update();
    };
    host.append(element(
        "div", {class: "controls"}, tcsim.labelledSelect("show", kinds, choice.kind, set("kind")),
        sms.length > 1 ? tcsim.labelledSelect("SM", sms.map((sm) => ({value: sm, text: sm})), choice.sm, set("sm")) : null));
    const view = tcsim.canvasView(host, {
      label: "Register banks over time: a row for each bank, brighter where it was used more",
      heightOf: () => rowsShown().length * rowHeight,
      draw,
      describe,
    });
    host.append(legend);
    tcsim.pictures.banks = {map, ...view};
    update();
  };
}
