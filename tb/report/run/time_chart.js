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

  // show({intervals, parts: [{name, colour, values}], stacked, label}): values are shares from 0 to 1.
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
      const middle = ({begins, ends}) => (begins + ends) / 2;
      chart.data.datasets = what.parts.map((part) => ({
                                             label: part.name,
                                             data: intervals.map((interval, index) => ({x: middle(interval), y: part.values[index]})),
                                             borderColor: part.colour,
                                             backgroundColor: part.colour,
                                             borderWidth: stacked ? 0 : 1.75,
                                             pointRadius: 0,
                                             fill: stacked ? "stack" : false,
                                             stepped: intervals.length <= 400 ? "middle" : false,
                                           }));
      const ends = {min: intervals[0].begins, max: intervals[intervals.length - 1].ends};
      chart.options.scales = {
        x: scale(theme, "cycle", {format: tcsim.formatNumber, options: ends}),
        y: scale(theme, what.title, {format: (value) => `${Math.round(100 * value)} %`, options: {stacked, min: 0, max: 1}}),
      };
      chart.options.plugins.tooltip = {
        ...tcsim.tooltipColours(),
        filter: (item) => item.raw.y > 0,
        callbacks: {
          title: (items) => items.slice(0, 1).map(
              ({dataIndex}) =>
                  `cycles ${tcsim.formatNumber(intervals[dataIndex].begins)} to ${tcsim.formatNumber(intervals[dataIndex].ends)}`),
          label: (item) => `${item.dataset.label}: ${tcsim.formatPercent(item.raw.y)}`,
        },
      };
      chart.update("none");
    };
    tcsim.onThemeChange(() => shown && show(shown));
    return {show};
  };
}
