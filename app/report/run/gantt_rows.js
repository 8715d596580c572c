// SPDX-License-Identifier: Apache-2.0
// How rows of warps are drawn over cycles, and what is said of a cycle of one.
"use strict";

{
  const gutter = 160;
  const rowHeight = 17;
  const axisHeight = 22;
  const stallHeight = 11;
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
  const describeCycle = (model, warp, cycle, causeOf) => {
    const resident = warp.resident.find(([begins, ends]) => cycle >= begins && cycle < ends);
    const who = resident ? `, kernel ${resident[2]}, CTA ${resident[3]}, warp ${resident[4]}` : "";
    const lines = [`${tcsim.shortPath(warp.path)}${who}`, `cycle ${tcsim.formatNumber(cycle)}`];
    const last = lastBegun(warp.instructions, cycle);
    const place = ([, , text, pc, line]) => `${model.text(text)}  (pc ${pc.toString(16).padStart(4, "0")}, line ${line})`;
    if (last >= 0 && warp.instructions[last][0] === cycle) lines.push(`issues ${place(warp.instructions[last])}`);
    const stall = warp.stalls[lastBegun(warp.stalls, cycle)];
    if (stall && cycle < stall[1]) {
      lines.push(`waits ${tcsim.counted(stall[1] - stall[0], "cycle")}: ${causeOf(stall[2]).text}`);
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

  // The view has `first` and `last`, the cycles that are seen, and xOf(cycle).
  tcsim.gantt = {gutter, rowHeight, axisHeight, stallHeight, makeWarp, describeCycle, drawAxis, drawWarp};
}
