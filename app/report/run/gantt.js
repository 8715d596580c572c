// SPDX-License-Identifier: Apache-2.0
// What each warp did, cycle for cycle: issues, stalls in the colours of their causes, instructions in flight. Mouse and keys zoom and move.
"use strict";

{
  const {element} = tcsim;
  const {gutter, rowHeight, axisHeight, stallHeight} = tcsim.gantt;
  const fewestCycles = 8;

  // Of a text that is a cause: {text, colour}, for the page as light or dark as it is.
  const causesByText = (model) => {
    const causes = tcsim.runCauses(model);
    const known = new Map();
    return (number) => {
      const key = model.text(number);
      if (!known.has(number)) known.set(number, causes.find((cause) => cause.key === key) ?? {text: key, colour: tcsim.theme().dim});
      return known.get(number);
    };
  };

  const legendOf = (model, warps) => {
    const causeOf = causesByText(model);
    const stalled = [...new Set(warps.flatMap(({stalls}) => stalls.map(([, , cause]) => cause)))].map(causeOf);
    const {text, dim} = tcsim.theme();
    return tcsim.legend([
      {name: "issue", colour: text}, {name: "in flight", colour: dim}, ...stalled.map((cause) => ({name: cause.text, colour: cause.colour}))
    ]);
  };

  const cutOffNote = ({first, last, cut_off: cutOff}, cycles) => {
    if (!cutOff && first === 0 && last >= cycles) return null;
    const number = tcsim.formatNumber;
    const reason = cutOff ? "; more would have taken too much memory" : "";
    return element(
        "p", {class: "faint", id: "cut-off"},
        `Cycles ${number(first)} to ${number(last)} of ${number(cycles)} are recorded${reason}. tcsim run --window records others.`);
  };

  const ganttPicture = (host, model, rows, range) => {
    const xOf = (cycle) => gutter + (picture.width() - gutter) * (cycle - range.first) / (range.last - range.first);
    const cycleAt = (x) => range.first + (x - gutter) / (picture.width() - gutter) * (range.last - range.first);
    const draw = (context, width) => {
      const theme = tcsim.theme();
      const view = {first: range.first, last: range.last, xOf};
      const causeOf = causesByText(model);
      tcsim.gantt.drawAxis(context, width, view, theme);
      rows().forEach((warp, place) => {
        const y = axisHeight + place * rowHeight;
        context.fillStyle = theme.text;
        context.fillText(tcsim.fittedText(context, tcsim.shortPath(warp.path), gutter - 8), 0, y + rowHeight / 2 - 1);
        tcsim.gantt.drawWarp(context, warp, y, view, (text) => causeOf(text).colour, theme);
      });
    };
    const describe = (x, y) => {
      const warp = rows()[Math.floor((y - axisHeight) / rowHeight)];
      if (!warp || x < gutter || y < axisHeight || isDragged()) return null;
      return tcsim.gantt.describeCycle(model, warp, Math.floor(cycleAt(x)), causesByText(model));
    };
    const picture = tcsim.canvasView(host, {
      label: "What each warp did in each cycle. Plus and minus zoom, arrow keys move, as do wheel and mouse.",
      heightOf: () => axisHeight + rows().length * rowHeight,
      draw,
      describe,
      cursor: "crosshair",
      hasKeys: true,
    });
    const isDragged = tcsim.addZooming(picture.canvas, range, cycleAt);
    return {...picture, place: (row, cycle) => ({x: xOf(cycle + 0.5), y: axisHeight + row * rowHeight + stallHeight / 2})};
  };

  tcsim.ganttView = (host, model) => {
    const {warps: recorded = [], window: limits} = model.pictures;
    const warps = recorded.filter(({resident, instructions, stalls}) => resident.length + instructions.length + stalls.length > 0)
                      .map(tcsim.gantt.makeWarp);
    if (warps.length === 0) {
      host.append(tcsim.absenceNote(model, "No warp ran."));
      return;
    }
    const sms = tcsim.smsOf(warps.map(({path}) => path));
    let sm = sms[0];
    const rows = () => warps.filter((warp) => tcsim.smOf(warp.path) === sm);

    const seen = element("span", {"aria-live": "polite", id: "gantt-range"});
    const update = () => {
      seen.textContent = `cycles ${tcsim.formatNumber(Math.floor(range.first))} to ${tcsim.formatNumber(Math.ceil(range.last))}`;
      picture.redraw();
    };
    const range = tcsim.zoomedRange({first: limits.first, last: Math.max(limits.last, limits.first + fewestCycles)}, fewestCycles, update);
    const chooseSm = (value) => {
      sm = value;
      update();
    };
    const smSelect = sms.length > 1 ? tcsim.labelledSelect("SM", sms.map((value) => ({value, text: value})), sm, chooseSm) : null;
    host.append(element("div", {class: "controls"}, tcsim.zoomButtons(range), smSelect, seen));
    const picture = ganttPicture(host, model, rows, range);

    const legend = element("div");
    const drawLegend = () => legend.replaceChildren(legendOf(model, warps));
    tcsim.onThemeChange(drawLegend);
    drawLegend();
    host.append(legend, cutOffNote(limits, model.run.cycles) ?? "");
    tcsim.pictures.gantt = {
      ...picture,
      rows: () => rows().map(({path}) => path),
      show: range.show,
      view: () => ({first: range.first, last: range.last}),
    };
    update();
  };
}
