// Utilisation of the units and what became of the issue slots: over time, and as totals.
"use strict";

{
  const {element} = tcsim;
  const mostKinds = 8;
  const noSeries = "Statistics over time are written by tcsim run --stats FILE --stats-interval N.";

  // Shares of busy units in each interval, by kind.
  const busyParts = (model) => {
    const {intervals, sums} = model.series;
    return model.kinds.slice(0, mostKinds).map(({kind, units}, index) => {
      const share = (count, i) => Math.min(1, count / (units.length * (intervals[i].ends - intervals[i].begins)));
      return {name: kind, colour: tcsim.categoryColour(index), values: sums(kind, "busy_cycles").map(share)};
    });
  };

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

  // Issue slots by cause in each interval, as shares of all. Schedulers do not count the slots in which they have no warp.
  const slotParts = (model, causes) => {
    const {intervals, sums} = model.series;
    const schedulers = Object.keys(model.run.units).filter((path) => tcsim.kindOfUnit(path) === "scheduler").length;
    const counts = causes.map(({key}) => sums("scheduler", key === "issued" ? "issued" : `empty_${key}`));
    const noWarp = counts[causes.findIndex(({key}) => key === "no_warp")];
    const totals = intervals.map(({begins, ends}, index) => {
      const counted = tcsim.sum(counts.map((values) => values[index]));
      const slots = Math.max(counted, schedulers * (ends - begins));
      if (noWarp) noWarp[index] += slots - counted;
      return slots;
    });
    return causes.map(({text, colour}, place) => ({
                        name: text,
                        colour,
                        values: counts[place].map((count, index) => (totals[index] === 0 ? 0 : count / totals[index])),
                      }));
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
