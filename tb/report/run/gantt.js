// What each warp did, cycle for cycle: issues, stalls in the colours of their causes, instructions in flight. Mouse and keys zoom and move.
"use strict";

{
  const {element} = tcsim;
  const gutter = 160;
  const rowHeight = 17;
  const axisHeight = 22;
  const stallHeight = 11;
  const fewestCycles = 8;
  const mostInFlight = 4;

  // Of spans [begins, ends, ...] ordered by begin: the last that begins at or before a cycle.
  const lastBegun = (spans, cycle) => {
    let [low, high] = [0, spans.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (spans[middle][0] <= cycle)
        low = middle + 1;
      else
        high = middle;
    }
    return low - 1;
  };

  // Round distances between the ticks of an axis.
  const tickStep = (cycles, ticks) => {
    const step = 10 ** Math.floor(Math.log10(Math.max(1, cycles / ticks)));
    return [1, 2, 5, 10].map((factor) => factor * step).find((each) => cycles / each <= ticks) ?? 10 * step;
  };

  const makeWarp = (warp) => {
    const lastEnds = [];  // the latest end of the instructions up to each
    warp.instructions.forEach(([, ends], index) => lastEnds.push(Math.max(ends, lastEnds[index - 1] ?? 0)));
    return {...warp, lastEnds};
  };

  // Lines about a warp at a cycle.
  const describeCycle = (model, warp, cycle, causeText) => {
    const resident = warp.resident.find(([begins, ends]) => cycle >= begins && cycle < ends);
    const who = resident ? `, kernel ${resident[2]}, CTA ${resident[3]}, warp ${resident[4]}` : "";
    const lines = [`${tcsim.shortPath(warp.path)}${who}`, `cycle ${tcsim.formatNumber(cycle)}`];
    const last = lastBegun(warp.instructions, cycle);
    const place = ([, , text, pc, line]) => `${model.text(text)}  (pc ${pc.toString(16).padStart(4, "0")}, line ${line})`;
    if (last >= 0 && warp.instructions[last][0] === cycle) lines.push(`issues ${place(warp.instructions[last])}`);
    const stall = warp.stalls[lastBegun(warp.stalls, cycle)];
    if (stall && cycle < stall[1]) {
      lines.push(`waits ${tcsim.counted(stall[1] - stall[0], "cycle")}: ${causeText(model.text(stall[2]))}`);
      if (warp.instructions[last + 1]) lines.push(`next: ${place(warp.instructions[last + 1])}`);
    }
    const inFlight = warp.instructions.slice(Math.max(0, last - 200), last + 1).filter(([begins, ends]) => begins < cycle && ends > cycle);
    for (const instruction of inFlight.slice(-mostInFlight)) lines.push(`in flight: ${place(instruction)}`);
    if (inFlight.length > mostInFlight) lines.push(`and ${inFlight.length - mostInFlight} more`);
    return lines;
  };

  const drawAxis = (context, width, view, theme) => {
    context.fillStyle = theme.faint;
    context.strokeStyle = theme.line;
    const step = tickStep(view.last - view.first, Math.max(2, Math.floor((width - gutter) / 90)));
    for (let cycle = Math.ceil(view.first / step) * step; cycle <= view.last; cycle += step) {
      const x = view.xOf(cycle);
      context.fillRect(x, axisHeight - 5, 1, 5);
      context.fillText(tcsim.formatNumber(cycle), x + 3, 8);
    }
  };

  const drawWarp = (context, warp, y, view, colourOf, theme) => {
    const bar = (begins, ends, top, height, colour) => {
      const [left, right] = [Math.max(gutter, view.xOf(begins)), Math.max(gutter, view.xOf(ends))];
      context.fillStyle = colour;
      context.fillRect(left, top, Math.max(right - left, 0.25), height);
    };
    for (const [begins, ends] of warp.resident)
      if (ends > view.first && begins < view.last) bar(begins, ends, y, stallHeight, theme.raised);
    for (let i = Math.max(0, lastBegun(warp.stalls, view.first)); i < warp.stalls.length && warp.stalls[i][0] < view.last; ++i) {
      const [begins, ends, cause] = warp.stalls[i];
      if (ends > view.first) bar(begins, ends, y, stallHeight, colourOf(cause));
    }
    let i = 0;  // the first that is in flight, or after that
    while (i < warp.instructions.length && warp.lastEnds[i] <= view.first && warp.instructions[i][0] < view.first) ++i;
    for (; i < warp.instructions.length && warp.instructions[i][0] < view.last; ++i) {
      const [begins, ends] = warp.instructions[i];
      if (ends > view.first) bar(begins, ends, y + stallHeight, 3, theme.dim);
      if (begins >= view.first) bar(begins, begins + 1, y, stallHeight, theme.text);
    }
  };

  tcsim.ganttView = (host, model) => {
    const {warps, window: recorded} = model.pictures;
    if (!warps || warps.length === 0) {
      host.append(element("p", {class: "faint"}, tcsim.noRecords));
      return;
    }
    const all = warps.map(makeWarp);
    const sms = tcsim.smsOf(all.map(({path}) => path));
    const used = ({resident, instructions, stalls}) => resident.length + instructions.length + stalls.length > 0;
    let sm = sms[0];
    const rows = () => all.filter((warp) => tcsim.smOf(warp.path) === sm && used(warp));
    const limits = {first: recorded.first, last: Math.max(recorded.last, recorded.first + fewestCycles)};
    const view = {...limits, xOf: (cycle) => gutter + (picture.width() - gutter) * (cycle - view.first) / (view.last - view.first)};
    const cycleAt = (x) => view.first + (x - gutter) / (picture.width() - gutter) * (view.last - view.first);

    let causes = tcsim.runCauses(model);
    const causeOf = (key) => causes.find((cause) => cause.key === key);
    const causeText = (key) => causeOf(key)?.text ?? key;

    const draw = (context, width, height) => {
      const theme = tcsim.theme();
      causes = tcsim.runCauses(model);
      const colours = new Map();
      const colourOf = (text) => {
        if (!colours.has(text)) colours.set(text, causeOf(model.text(text))?.colour ?? theme.dim);
        return colours.get(text);
      };
      drawAxis(context, width, view, theme);
      rows().forEach((warp, place) => {
        const y = axisHeight + place * rowHeight;
        context.fillStyle = theme.text;
        context.fillText(tcsim.fittedText(context, tcsim.shortPath(warp.path), gutter - 8), 0, y + rowHeight / 2 - 1);
        drawWarp(context, warp, y, view, colourOf, theme);
      });
    };
    const describe = (x, y) => {
      const warp = rows()[Math.floor((y - axisHeight) / rowHeight)];
      if (!warp || x < gutter || y < axisHeight || drag) return null;
      return describeCycle(model, warp, Math.floor(cycleAt(x)), causeText);
    };

    const range = element("span", {"aria-live": "polite", id: "gantt-range"});
    const show = (first, last) => {
      const length = Math.min(Math.max(last - first, fewestCycles), limits.last - limits.first);
      view.first = Math.min(Math.max(first, limits.first), limits.last - length);
      view.last = view.first + length;
      range.textContent = `cycles ${tcsim.formatNumber(Math.floor(view.first))} to ${tcsim.formatNumber(Math.ceil(view.last))}`;
      picture.redraw();
    };
    const zoom = (factor, at = (view.first + view.last) / 2) => show(at - (at - view.first) * factor, at + (view.last - at) * factor);
    const move = (part) => show(view.first + part * (view.last - view.first), view.last + part * (view.last - view.first));

    const button = (text, name, onclick) => element("button", {type: "button", "aria-label": name, title: name, onclick}, text);
    const chooseSm = (value) => {
      sm = value;
      picture.redraw();
    };
    host.append(element(
        "div", {class: "controls"}, button("+", "zoom in", () => zoom(0.5)), button("\u2212", "zoom out", () => zoom(2)),
        button("\u25c0", "earlier", () => move(-0.5)), button("\u25b6", "later", () => move(0.5)),
        button("all", "the whole window", () => show(limits.first, limits.last)),
        sms.length > 1 ? tcsim.labelledSelect("SM", sms.map((each) => ({value: each, text: each})), sm, chooseSm) : null, range));
    const picture = tcsim.canvasView(host, {
      label: "What each warp did in each cycle. Plus and minus zoom, arrow keys move, as do wheel and mouse.",
      heightOf: () => axisHeight + rows().length * rowHeight,
      draw,
      describe,
      cursor: "crosshair",
    });

    let drag = null;
    const {canvas} = picture;
    const xIn = (event) => event.clientX - canvas.getBoundingClientRect().left;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
        move(Math.sign(event.deltaX) * 0.1);
      else
        zoom(event.deltaY > 0 ? 1.25 : 0.8, cycleAt(xIn(event)));
    }, {passive: false});
    canvas.addEventListener("pointerdown", (event) => {
      drag = {x: xIn(event), first: view.first, last: view.last};
      canvas.setPointerCapture(event.pointerId);
      picture.hide();
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const moved = (drag.x - xIn(event)) / (picture.width() - gutter) * (drag.last - drag.first);
      show(drag.first + moved, drag.last + moved);
    });
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (drag = null));
    const keys = {"+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2)};
    canvas.addEventListener("keydown", (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });

    const theme = () => [{name: "issue", colour: tcsim.theme().text}, {name: "in flight", colour: tcsim.theme().dim}];
    const stalled = new Set(all.flatMap(({stalls}) => stalls.map(([, , cause]) => model.text(cause))));
    const legend = () => tcsim.legend(
        [...theme(), ...tcsim.runCauses(model).filter(({key}) => stalled.has(key)).map(({text, colour}) => ({name: text, colour}))]);
    const legendBox = element("div", {}, legend());
    tcsim.onThemeChange(() => legendBox.replaceChildren(legend()));
    host.append(legendBox);
    if (recorded.cut_off || recorded.last < model.run.cycles || recorded.first > 0)
      host.append(element(
          "p", {class: "faint", id: "cut-off"},
          `Cycles ${tcsim.formatNumber(recorded.first)} to ${tcsim.formatNumber(recorded.last)} of ${
              tcsim.formatNumber(model.run.cycles)} are recorded${
              recorded.cut_off ? "; more would have taken too much memory" : ""}. tcsim run --window records others.`));
    tcsim.pictures.gantt = {
      ...picture,
      rows: () => rows().map(({path}) => path),
      show,
      view: () => ({first: view.first, last: view.last}),
      place: (row, cycle) => ({x: view.xOf(cycle + 0.5), y: axisHeight + row * rowHeight + stallHeight / 2}),
    };
    show(limits.first, limits.last);
  };
}
