// SPDX-License-Identifier: Apache-2.0
// A run as its statistics tell it, and what is derived from them.
"use strict";

{
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  tcsim.sum = sum;

  const withoutNumber = (name) => name.replace(/_\d+$/, "");

  // "register_file.bank" of "gpu.sm_0.sub_core_1.register_file.bank_0".
  const kindOf = (path) => path.split(".").slice(1).map(withoutNumber).filter((name) => name !== "sm" && name !== "sub_core").join(".");

  // Units of `objects` by their kind: [{kind, units: [path]}].
  const byKind = (objects) => {
    const kinds = new Map();
    for (const path of Object.keys(objects)) {
      const kind = kindOf(path);
      kinds.set(kind, [...(kinds.get(kind) ?? []), path]);
    }
    return [...kinds.entries()].map(([kind, units]) => ({kind, units}));
  };

  // Busy cycles of each kind of unit, and their share of all its cycles; the busiest first.
  const unitKinds = ({utilisation, cycles}) => byKind(utilisation ?? {})
                                                   .map(({kind, units}) => {
                                                     const all = units.map((path) => utilisation[path]);
                                                     const total = cycles * units.length;
                                                     return {
                                                       kind,
                                                       units,
                                                       busyCycles: sum(all.map((unit) => unit.busy_cycles)),
                                                       share: total === 0 ? 0 : sum(all.map((unit) => unit.busy_cycles)) / total,
                                                     };
                                                   })
                                                   .filter((each) => each.busyCycles > 0)
                                                   .sort((a, b) => b.share - a.share);

  // Counts in the order of the causes.
  const accounts = (run, causes) => ({
    warps: causes.map(({key}) => (key === "issued" ? run.instructions : run.stalls[key] ?? 0)),
    slots: causes.map(({key}) => run.issue_slots[key] ?? 0),
  });

  const mostIntervals = 500;  // a chart has no more pixels

  // Over time, in intervals [{begins, ends}]: what units did in each. Null if the statistics were not written in intervals. Neighbours are
  // joined where there are more intervals than a chart can show.
  const seriesOf = ({series}) => {
    if (!series || !series.cycles || series.cycles.length === 0) return null;
    const together = Math.ceil(series.cycles.length / mostIntervals);
    const groups = Math.ceil(series.cycles.length / together);
    const ends = Array.from({length: groups}, (unused, group) => series.cycles[Math.min(series.cycles.length, (group + 1) * together) - 1]);
    const first = Math.max(0, series.cycles[0] - series.interval);
    const intervals = ends.map((end, group) => ({begins: group === 0 ? first : ends[group - 1], ends: end}));
    const joined = (increments = []) => intervals.map((interval, group) => sum(increments.slice(group * together, (group + 1) * together)));
    const of = (kind) => Object.entries(series.units).filter(([path]) => kindOf(path) === kind).map(([, unit]) => unit);
    return {intervals, joined, of, units: series.units};
  };

  tcsim.makeRun = (data) => {
    const {run, causes} = data;
    return {
      data,
      run,
      causes,
      kinds: unitKinds(run),
      accounts: accounts(run, causes),
      series: seriesOf(run),
      pictures: run.pictures ?? {},
      text: (index) => run.pictures?.texts?.[index] ?? "",
      kernels: run.kernels ?? [{...run.trace, start: 0, cycles: run.cycles, time_us: run.time_us, expect: run.expect}],
      mismatches: (run.expect ?? []).length === 0 ? null : sum(run.expect.map((each) => each.mismatches)),
      undefinedBytes: sum((run.expect ?? []).map((each) => each.undefined ?? 0)),
    };
  };

  tcsim.kindOfUnit = kindOf;
  // "sub_core_1 bank_0" of "gpu.sm_0.sub_core_1.register_file.bank_0", "sm_0" of it, and the SMs that occur in paths.
  tcsim.shortPath = (path) => path.split(".").slice(2).filter((name) => name !== "register_file").join(" ");
  tcsim.smOf = (path) => path.split(".")[1] ?? "";
  tcsim.smsOf = (paths) => [...new Set(paths.map(tcsim.smOf))].sort((a, b) => a.localeCompare(b, "en", {numeric: true}));

  // Why there is nothing to see.
  tcsim.absenceNote = (model, nothing) =>
      tcsim.element("p", {class: "faint"}, model.run.pictures ? nothing : "Not recorded: tcsim run --stats FILE --pictures does.");

  // A table of rows of texts; {text, number} where a column holds numbers.
  tcsim.plainTable = (caption, heads, rows) => {
    const classOf = (column) => (heads[column].number ? "number" : null);
    const head = tcsim.element("tr", {}, heads.map(({text}, column) => tcsim.element("th", {scope: "col", class: classOf(column)}, text)));
    const body = rows.map(
        (cells) => tcsim.element(
            "tr", {},
            cells.map(
                (cell, column) =>
                    tcsim.element(column === 0 ? "th" : "td", {scope: column === 0 ? "row" : null, class: classOf(column)}, cell))));
    return tcsim.element(
        "div", {class: "scroll"},
        tcsim.element(
            "table", {"data-table": caption}, tcsim.element("caption", {class: "hidden"}, caption), tcsim.element("thead", {}, head),
            tcsim.element("tbody", {}, body)));
  };
}
