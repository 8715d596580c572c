// SPDX-License-Identifier: Apache-2.0
// Utilisation of the units and what became of the issue slots: over time, and as totals.
"use strict";

{
  const {element} = tcsim;
  const mostKinds = 8;
  const noSeries = "Statistics over time are written by tcsim run --stats FILE --stats-interval N.";

  const lengthOf = ({begins, ends}) => ends - begins;

  // Busy cycles of a unit in each interval. Units count them when they take something: what an interval has no room for is in the next.
  const busyCycles = (model, unit) => {
    let ahead = 0;
    return model.series.joined(unit.busy_cycles).map((count, index) => {
      const cycles = Math.min(ahead + count, lengthOf(model.series.intervals[index]));
      ahead += count - cycles;
      return cycles;
    });
  };

  // Shares of busy units in each interval, by kind.
  const busyParts = (model) => model.kinds.slice(0, mostKinds).map(({kind, units}, place) => {
    const busy = model.series.of(kind).map((unit) => busyCycles(model, unit));
    const shares = model.series.intervals.map(
        (interval, index) => tcsim.sum(busy.map((cycles) => cycles[index])) / (units.length * lengthOf(interval)));
    return {name: kind, colour: tcsim.categoryColour(place), values: shares};
  });

  tcsim.utilisationView = (host, table, model) => {
    if (model.series) {
      const parts = busyParts(model);
      const chart = tcsim.timeChart("utilisation", host);
      chart.show({
        intervals: model.series.intervals,
        parts,
        stacked: false,
        title: "busy",
        label: "Share of busy cycles of each kind of unit over time; the table has the totals",
      });
      host.append(tcsim.legend(parts));
    } else {
      host.append(element("p", {class: "faint"}, noSeries));
    }
    table.append(tcsim.plainTable(
        "Units", [{text: "kind of unit"}, {text: "units", number: true}, {text: "busy", number: true}, {text: "busy cycles", number: true}],
        model.kinds.map(({kind,
                          units,
                          share,
                          busyCycles}) => [kind, String(units.length), tcsim.formatPercent(share), tcsim.formatNumber(busyCycles)])));
  };

  // Issue slots of a scheduler by cause in each interval. It counts those of a wait when the wait is over: what an interval has no room for
  // was in the one before. Slots in which it has no warp are not counted.
  const slotsOf = (model, causes, scheduler) => {
    const counts = causes.map(({key}) => model.series.joined(scheduler[key === "issued" ? "issued" : `empty_${key}`]));
    const waits = counts.filter((values, place) => causes[place].key !== "issued");
    const noWarp = counts[causes.findIndex(({key}) => key === "no_warp")];
    for (let i = model.series.intervals.length - 1; i >= 0; --i) {
      let excess = tcsim.sum(counts.map((values) => values[i])) - lengthOf(model.series.intervals[i]);
      if (excess < 0 && noWarp) noWarp[i] -= excess;
      for (const values of [...waits].sort((a, b) => b[i] - a[i])) {
        const moved = i > 0 ? Math.min(Math.max(excess, 0), values[i]) : 0;
        values[i] -= moved;
        if (i > 0) values[i - 1] += moved;
        excess -= moved;
      }
    }
    return counts;
  };

  // Issue slots by cause in each interval, as shares of all.
  const slotParts = (model, causes) => {
    const schedulers = model.series.of("scheduler").map((unit) => slotsOf(model, causes, unit));
    const total = Object.keys(model.run.units).filter((path) => tcsim.kindOfUnit(path) === "scheduler").length;
    const share = (place, index) =>
        tcsim.sum(schedulers.map((counts) => counts[place][index])) / Math.max(1, total * lengthOf(model.series.intervals[index]));
    return causes.map(
        ({text, colour}, place) => ({name: text, colour, values: model.series.intervals.map((interval, index) => share(place, index))}));
  };

  const totals = [
    {key: "slots", label: "issue slots"},
    {key: "warps", label: "cycles of the warps"},
  ];

  tcsim.runCauses = (model) => tcsim.colouredCauses(model.causes, (index) => totals.some(({key}) => model.accounts[key][index] > 0));

  tcsim.stackView = (host, over, model) => {
    const causes = tcsim.runCauses(model);
    const shares = totals.map(({key}) => {
      const total = tcsim.sum(model.accounts[key]);
      return model.accounts[key].map((count) => (total === 0 ? 0 : count / total));
    });
    const parts = causes.map(({index, text, colour}) => ({name: text, colour, values: shares.map((each) => each[index])}));
    const chart = tcsim.barChart("stalls", host);
    chart.show({
      labels: totals.map(({label}) => label),
      parts,
      title: "share",
      format: tcsim.formatPercent,
      max: 1,
      label: "What became of the issue slots and of the cycles of the warps; the table has the numbers",
    });
    host.append(tcsim.legend(parts));
    host.append(element(
        "details", {}, element("summary", {}, "Numbers"),
        tcsim.plainTable(
            "Stalls",
            [
              {text: "cause"}, {text: "issue slots", number: true}, {text: "share", number: true}, {text: "cycles of warps", number: true},
              {text: "share", number: true}
            ],
            causes.map(
                ({index, text}) =>
                    [text, tcsim.formatNumber(model.accounts.slots[index]), tcsim.formatPercent(shares[0][index]),
                     tcsim.formatNumber(model.accounts.warps[index]), tcsim.formatPercent(shares[1][index])]))));
    if (!model.series) {
      over.append(element("p", {class: "faint"}, noSeries));
      return;
    }
    tcsim.timeChart("slots", over).show({
      intervals: model.series.intervals,
      parts: slotParts(model, causes.filter(({index}) => model.accounts.slots[index] > 0)),
      stacked: true,
      title: "issue slots",
      label: "What became of the issue slots over time",
    });
  };
}
