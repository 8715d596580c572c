// SPDX-License-Identifier: Apache-2.0
// Lines or stacked areas over cycles.
"use strict";

{
  const {element} = tcsim;

  const scale = (theme, title, more) => ({
    type: "linear",
    title: {display: true, text: title, color: theme.text},
    grid: {color: theme.line, borderColor: theme.faint, tickColor: theme.line},
    ticks: {color: theme.faint, maxRotation: 0, callback: more.format},
    ...more.options,
  });

  // show({intervals, parts: [{name, colour, values}], stacked, title, label}): values are shares from 0 to 1.
  tcsim.timeChart = (name, host) => {
    const canvas = element("canvas", {role: "img"});
    host.append(element("div", {class: "chart over-time"}, canvas));
    const chart = new Chart(canvas, {
      type: "line",
      data: {datasets: []},
      options: {
        animation: false,
        maintainAspectRatio: false,
        parsing: false,
        interaction: {mode: "index", intersect: false},
        plugins: {legend: {display: false}},
      },
    });
    tcsim.charts[name] = chart;
    let shown = null;
    const show = (what) => {
      shown = what;
      const theme = tcsim.theme();
      const {intervals, stacked} = what;
      canvas.setAttribute("aria-label", what.label);
      // A value holds from the begin of its interval to the end: two points. Of stacked areas each lies on those before, and hides the
      // lower part of those behind.
      const below = intervals.map(() => 0);
      const pointsOf = (values) => intervals.flatMap(({begins, ends}, index) => {
        const share = values[index];
        const y = stacked ? (below[index] += share) : share;
        return [{x: begins, y, share}, {x: ends, y, share}];
      });
      chart.data.datasets = what.parts.map((part) => ({
                                             label: part.name,
                                             data: pointsOf(part.values),
                                             borderColor: part.colour,
                                             backgroundColor: part.colour,
                                             borderWidth: stacked ? 0 : 1.75,
                                             pointRadius: 0,
                                             fill: stacked ? "origin" : false,
                                           }));
      const ends = {min: intervals[0].begins, max: intervals[intervals.length - 1].ends};
      chart.options.scales = {
        x: scale(theme, "cycle", {format: tcsim.formatNumber, options: ends}),
        y: scale(theme, what.title, {format: (value) => `${Math.round(100 * value)} %`, options: {min: 0, max: 1}}),
      };
      chart.options.plugins.tooltip = {
        ...tcsim.tooltipColours(),
        filter: (item) => item.raw.share > 0,
        callbacks: {
          title: (items) => items.slice(0, 1).map(({dataIndex}) => {
            const {begins, ends} = intervals[dataIndex >> 1];
            return `cycles ${tcsim.formatNumber(begins)} to ${tcsim.formatNumber(ends)}`;
          }),
          label: (item) => `${item.dataset.label}: ${tcsim.formatPercent(item.raw.share)}`,
        },
      };
      chart.update("none");
    };
    tcsim.onThemeChange(() => shown && show(shown));
    return {show};
  };
}
