// SPDX-License-Identifier: Apache-2.0
// Stacked horizontal bars: one for each label, its parts in the colours of the parts' names.
"use strict";

{
  const {element} = tcsim;

  const scaleOptions = (theme, title, format) => ({
    stacked: true,
    title: {display: Boolean(title), text: title, color: theme.text},
    grid: {color: theme.line, borderColor: theme.faint, tickColor: theme.line},
    ticks: {color: theme.faint, callback: format},
  });

  // show({labels, parts: [{name, colour, values}], title, format, max, label}).
  tcsim.barChart = (name, host) => {
    const canvas = element("canvas", {role: "img"});
    const box = element("div", {class: "chart"}, canvas);
    host.append(box);
    const chart = new Chart(canvas, {
      type: "bar",
      data: {labels: [], datasets: []},
      options: {indexAxis: "y", animation: false, maintainAspectRatio: false, plugins: {legend: {display: false}}},
    });
    tcsim.charts[name] = chart;
    let shown = null;
    const show = (what) => {
      shown = what;
      const theme = tcsim.theme();
      box.style.height = `${70 + 34 * what.labels.length}px`;
      canvas.setAttribute("aria-label", what.label);
      chart.data.labels = what.labels;
      chart.data.datasets = what.parts.map((part) => ({
                                             label: part.name,
                                             data: part.values,
                                             backgroundColor: part.colour,
                                             borderColor: theme.ground,
                                             borderWidth: {right: 1},
                                             borderSkipped: false,
                                             maxBarThickness: 24,
                                           }));
      const names = (index) => what.labels[index];
      chart.options.scales = {x: {...scaleOptions(theme, what.title, what.format), max: what.max}, y: scaleOptions(theme, "", names)};
      chart.options.scales.y.grid.display = false;
      chart.options.plugins.tooltip = {
        ...tcsim.tooltipColours(),
        callbacks: {label: (item) => `${item.dataset.label}: ${what.format(item.raw)}`}
      };
      chart.update("none");
    };
    tcsim.onThemeChange(() => shown && show(shown));
    return {show};
  };

  // A list of names behind their colours.
  tcsim.legend = (entries) => element("ul", {class: "legend"}, entries.map(({name, colour}) => {
    const swatch = element("span", {class: "swatch", "aria-hidden": "true"});
    swatch.style.background = colour;
    return element("li", {}, swatch, name);
  }));

  tcsim.rampLegend = (title, from, to) => {
    const bar = element("span", {class: "ramp", "aria-hidden": "true"});
    bar.style.background = tcsim.rampGradient;
    return element("ul", {class: "legend"}, element("li", {}, `${title}:`, from, bar, to));
  };
}
