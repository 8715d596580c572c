// SPDX-License-Identifier: Apache-2.0
// A chart of points, each of which stands for a row of the data: axes with units, tooltips, selection by mouse and by keyboard.
"use strict";

{
  const {element} = tcsim;

  // The charts of the page by name.
  tcsim.charts = {};

  // So far beyond the least and the largest value that their points lie inside of the frame.
  const logEnds = (values) => {
    const [least, most] = values.reduce(([low, high], value) => [Math.min(low, value), Math.max(high, value)], [Infinity, -Infinity]);
    if (!(least > 0)) return {};
    const margin = Math.max((most / least) ** 0.04, 1.05);
    return {min: least / margin, max: most * margin};
  };

  // Bars reach farther than the points that the chart looks at.
  const ends = (values) => {
    const numbers = values.filter((value) => typeof value === "number");
    return numbers.length === 0 ?
        {} :
        {suggestedMin: numbers.reduce((a, b) => Math.min(a, b)), suggestedMax: numbers.reduce((a, b) => Math.max(a, b))};
  };

  const labelGap = 6;

  // Empties the labels of ticks that would run into one before them; round numbers stay before others.
  const leaveOutColliding = (scale) => {
    const {ctx} = scale.chart;
    ctx.save();
    ctx.font = Chart.helpers.toFont(scale.options.ticks.font).string;
    const isAcross = scale.isHorizontal();
    const taken = [];
    const roundness = ({value}) => (Math.abs(Math.log10(Math.abs(value)) % 1) < 1e-9 ? 0 : 1);
    const places = scale.ticks.map((tick, index) => ({tick, at: scale.getPixelForTick(index)}));
    for (const {tick, at} of places.sort((a, b) => roundness(a.tick) - roundness(b.tick))) {
      const half = (isAcross && !scale.labelRotation ? ctx.measureText(tick.label).width : 12) / 2 + labelGap / 2;
      if (!tick.label || taken.some(([from, to]) => at + half > from && at - half < to))
        tick.label = "";
      else
        taken.push([at - half, at + half]);
    }
    ctx.restore();
  };

  const scaleOptions = ({title, log, categories, ticks}, values) => {
    const theme = tcsim.theme();
    const isLog = Boolean(log) && !categories;
    const options = {
      type: isLog ? "logarithmic" : "linear",
      title: {display: true, text: title, color: theme.text},
      grid: {color: theme.line, borderColor: theme.faint, tickColor: theme.line},
      ticks: {color: theme.faint, maxRotation: categories ? 45 : 0, callback: (value) => tcsim.formatNumber(value)},
      ...(isLog ? logEnds(values) : {grace: "4%", ...ends(values)}),
    };
    const places = categories ? categories.map((name, index) => index) : ticks;
    if (categories) {
      Object.assign(options, {min: -0.5, max: categories.length - 0.5});
      options.ticks.callback = (value) => categories[value] ?? "";
    }
    options.afterUpdate = leaveOutColliding;
    if (places)
      options.afterBuildTicks = (scale) => {
        scale.ticks = places.map((value) => ({value}));
      };
    return options;
  };

  const pointSet = (points) => ({
    data: points,
    pointRadius: points.length > 2000 ? 2.5 : 4.5,
    pointHoverRadius: 7,
    pointBackgroundColor: points.map((point) => point.colour),
    pointBorderColor: tcsim.theme().ground,
    pointBorderWidth: points.length > 2000 ? 0 : 0.75,
    pointHoverBorderColor: tcsim.theme().text,
    order: 2,
  });

  // Rings around the points that are marked. Drawn over the chart, because a data set of them would make it lay out all points anew.
  const ringPlugin = (markedPoints) => ({
    id: "rings",
    afterDatasetsDraw: (chart) => {
      const {ctx, scales} = chart;
      ctx.save();
      ctx.strokeStyle = tcsim.theme().text;
      ctx.lineWidth = 2;
      for (const {x, y} of markedPoints()) {
        ctx.beginPath();
        ctx.arc(scales.x.getPixelForValue(x), scales.y.getPixelForValue(y), 9, 0, 2 * Math.PI);
        ctx.stroke();
      }
      ctx.restore();
    },
  });

  // Bars from the least to the most of a point's runs, below the points.
  const errorBarPlugin = (points) => ({
    id: "errorBars",
    beforeDatasetsDraw: (chart) => {
      const {ctx, scales, chartArea} = chart;
      const cap = 3;
      ctx.save();
      ctx.beginPath();
      ctx.rect(chartArea.left, chartArea.top, chartArea.width, chartArea.height);
      ctx.clip();
      ctx.lineWidth = 1;
      for (const {x, range, colour} of points()) {
        if (!range) continue;
        const at = scales.x.getPixelForValue(x);
        const [low, high] = range.map((value) => scales.y.getPixelForValue(value));
        ctx.strokeStyle = colour;
        ctx.beginPath();
        ctx.moveTo(at, low);
        ctx.lineTo(at, high);
        for (const end of [low, high]) {
          ctx.moveTo(at - cap, end);
          ctx.lineTo(at + cap, end);
        }
        ctx.stroke();
      }
      ctx.restore();
    },
  });

  const lineSet = ({points, colour, stepped}) => ({
    data: points,
    showLine: true,
    stepped: stepped ?? false,
    borderColor: colour,
    borderWidth: 1.75,
    pointRadius: 0,
    pointHoverRadius: 0,
    pointHitRadius: 0,
    order: 1,
  });

  // Points of equal coordinates hide each other.
  const othersText = ({raw, dataset}) => {
    const others = dataset.data.filter((point) => point.x === raw.x && point.y === raw.y).length - 1;
    return others > 0 ? `and ${tcsim.counted(others, "other point")} here` : "";
  };

  const chartOptions = (describe, onToggle) => ({
    animation: false,
    maintainAspectRatio: false,
    interaction: {mode: "nearest", intersect: true},
    onClick: (event, found) => {
      const hit = found.find((each) => each.datasetIndex === 0);
      if (hit) onToggle(hit.element.$context.raw.row);
    },
    plugins: {
      legend: {display: false},
      tooltip: {
        displayColors: false,
        filter: (item, index) => index === 0 && item.datasetIndex === 0,
        callbacks: {
          title: (items) => items.map((item) => describe(item.raw.row).title),
          label: (item) => describe(item.raw.row).lines,
          footer: (items) => items.map(othersText),
        },
      },
    },
  });

  // Arrow keys go from point to point along x, Enter selects; what the tooltip shows is also said.
  const addKeyboard = (canvas, chart, spoken, describe, onToggle) => {
    let order = [];
    let place = -1;
    const activate = (active, at) => {
      chart.setActiveElements(active);
      chart.tooltip.setActiveElements(active, at);
      chart.update("none");
    };
    const goTo = (next) => {
      const points = chart.data.datasets[0].data;
      if (order.length !== points.length)
        order = points.map((point, index) => index).sort((a, b) => points[a].x - points[b].x || points[a].y - points[b].y);
      if (order.length === 0) return;
      place = Math.min(Math.max(next, 0), order.length - 1);
      const index = order[place];
      const {x, y} = chart.getDatasetMeta(0).data[index];
      activate([{datasetIndex: 0, index}], {x, y});
      const {title, lines} = describe(points[index].row);
      spoken.textContent = [title, ...lines].join(", ");
    };
    canvas.addEventListener("keydown", (event) => {
      const step = {ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, PageDown: 10, PageUp: -10}[event.key];
      if (step)
        goTo(place + step);
      else if (event.key === "Home")
        goTo(0);
      else if (event.key === "End")
        goTo(order.length - 1);
      else if (event.key === "Escape")
        activate([], {x: 0, y: 0});
      else if (event.key === "Enter" && place >= 0)
        onToggle(chart.data.datasets[0].data[order[place]].row);
      else
        return;
      event.preventDefault();
    });
    return () => {
      order = [];
    };
  };

  // describe(row) gives {title, lines} for the tooltip; onToggle(row) is called for a point that is clicked. Of the chart returned,
  // show({x, y, points, lines, isMarked, label}) draws all: points are {x, y, row, colour, range}, range [least, most] or null,
  // lines {points, colour, stepped}, x and y what scaleOptions takes, label what a screen reader says, and isMarked(row) tells which points
  // have a ring. mark() shows other rings.
  tcsim.pointChart = (name, host, describe, onToggle) => {
    const canvas = element("canvas", {tabindex: 0, role: "img"});
    const spoken = element("p", {class: "hidden", "aria-live": "polite"});
    host.append(element("div", {class: "chart"}, canvas), spoken);
    let shown = null;
    const markedPoints = () => (shown ? shown.points.filter((point) => shown.isMarked(point.row)) : []);
    const options = chartOptions(describe, onToggle);
    const chart = new Chart(
        canvas,
        {type: "scatter", data: {datasets: []}, options, plugins: [ringPlugin(markedPoints), errorBarPlugin(() => shown?.points ?? [])]});
    const forgetOrder = addKeyboard(canvas, chart, spoken, describe, onToggle);
    tcsim.charts[name] = chart;
    const show = (what) => {
      shown = what;
      forgetOrder();
      canvas.setAttribute("aria-label", `${what.label}. Arrow keys go from point to point, Enter selects.`);
      chart.data.datasets = [pointSet(what.points), ...what.lines.map(lineSet)];
      Object.assign(chart.options.plugins.tooltip, tcsim.tooltipColours());
      const heights = what.points.flatMap(({y, range}) => range ?? [y]);
      chart.options.scales = {x: scaleOptions(what.x, what.points.map(({x}) => x)), y: scaleOptions(what.y, heights)};
      chart.update("none");
    };
    tcsim.onThemeChange(() => shown && show(shown));
    return {show, mark: () => chart.render()};
  };
}
