// SPDX-License-Identifier: Apache-2.0
// A picture that is drawn pixel by pixel, with a text for the place under the mouse.
"use strict";

{
  const {element} = tcsim;

  // Pictures of the page by name, as tcsim.charts has the charts.
  tcsim.pictures = {};

  // `draw(context, width, height)` draws in CSS pixels; `describe(x, y)` gives lines of text, or null. `heightOf(width)` is the height.
  // `hasKeys`: it can be reached by keyboard.
  tcsim.canvasView = (host, {label, heightOf, draw, describe, cursor, hasKeys}) => {
    const canvas = element("canvas", {role: "img", tabindex: hasKeys ? 0 : null, "aria-label": label});
    const tip = element("div", {class: "tip", role: "status", hidden: true});
    const box = element("div", {class: "picture"}, canvas, tip);
    host.append(box);
    if (cursor) canvas.style.cursor = cursor;
    let width = 0;

    const redraw = () => {
      width = Math.max(200, Math.floor(box.clientWidth));
      const height = Math.ceil(heightOf(width));
      const scale = window.devicePixelRatio || 1;
      canvas.style.height = `${height}px`;
      canvas.style.width = `${width}px`;
      canvas.width = Math.round(width * scale);
      canvas.height = Math.round(height * scale);
      const context = canvas.getContext("2d");
      context.setTransform(scale, 0, 0, scale, 0, 0);
      context.clearRect(0, 0, width, height);
      context.font = "12px ui-monospace, 'DejaVu Sans Mono', monospace";
      context.textBaseline = "middle";
      draw(context, width, height);
    };

    const hide = () => {
      tip.hidden = true;
    };
    const showTip = (event) => {
      const area = canvas.getBoundingClientRect();
      const [x, y] = [event.clientX - area.left, event.clientY - area.top];
      const lines = describe(x, y);
      if (!lines) return hide();
      tip.replaceChildren(...lines.map((line) => element("div", {}, line)));
      tip.hidden = false;
      tip.style.top = `${y + 14}px`;
      tip.style.left = `${Math.max(0, Math.min(x + 14, width - tip.offsetWidth))}px`;
    };
    canvas.addEventListener("mousemove", showTip);
    canvas.addEventListener("mouseleave", hide);
    new ResizeObserver(() => box.clientWidth !== width && redraw()).observe(box);
    tcsim.onThemeChange(redraw);
    return {canvas, redraw, hide, width: () => width};
  };

  // Text cut to a width, its end kept: it tells more.
  tcsim.fittedText = (context, text, width) => {
    if (context.measureText(text).width <= width) return text;
    let end = text;
    while (end.length > 1 && context.measureText(`…${end}`).width > width) end = end.slice(1);
    return `…${end}`;
  };
}
