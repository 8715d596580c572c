// SPDX-License-Identifier: Apache-2.0
// A part of a range that can be seen larger and moved: by buttons, wheel, mouse and keys.
"use strict";

{
  const {element} = tcsim;

  // `limits` is {first, last}; no less than `fewest` are seen. Calls onChange() after each change.
  tcsim.zoomedRange = (limits, fewest, onChange) => {
    const range = {...limits};
    const show = (first, last) => {
      const length = Math.min(Math.max(last - first, fewest), limits.last - limits.first);
      range.first = Math.min(Math.max(first, limits.first), limits.last - length);
      range.last = range.first + length;
      onChange();
    };
    const length = () => range.last - range.first;
    return Object.assign(range, {
      show,
      showAll: () => show(limits.first, limits.last),
      zoom: (factor, at = (range.first + range.last) / 2) => show(at - (at - range.first) * factor, at + (range.last - at) * factor),
      move: (part) => show(range.first + part * length(), range.last + part * length()),
    });
  };

  tcsim.zoomButtons = (range) => {
    const button = (text, name, onclick) => element("button", {type: "button", "aria-label": name, title: name, onclick}, text);
    return [
      button("+", "zoom in", () => range.zoom(0.5)), button("\u2212", "zoom out", () => range.zoom(2)),
      button("\u25c0", "earlier", () => range.move(-0.5)), button("\u25b6", "later", () => range.move(0.5)),
      button("all", "the whole window", range.showAll)
    ];
  };

  const addKeys = (canvas, range) => {
    const keys = {
      "+": () => range.zoom(0.5),
      "=": () => range.zoom(0.5),
      "-": () => range.zoom(2),
      ArrowLeft: () => range.move(-0.2),
      ArrowRight: () => range.move(0.2)
    };
    canvas.addEventListener("keydown", (event) => {
      if (!keys[event.key]) return;
      event.preventDefault();
      keys[event.key]();
    });
  };

  // On a canvas on which `at(x)` is seen at x. Returns whether the mouse is dragging.
  tcsim.addZooming = (canvas, range, at) => {
    let drag = null;  // what is seen, and where it was taken
    const xIn = (event) => event.clientX - canvas.getBoundingClientRect().left;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      if (Math.abs(event.deltaX) > Math.abs(event.deltaY))
        range.move(Math.sign(event.deltaX) * 0.1);
      else
        range.zoom(event.deltaY > 0 ? 1.25 : 0.8, at(xIn(event)));
    }, {passive: false});
    canvas.addEventListener("pointerdown", (event) => {
      drag = {at: at(xIn(event))};
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const moved = drag.at - at(xIn(event));
      range.show(range.first + moved, range.last + moved);
    });
    for (const name of ["pointerup", "pointercancel"])
      canvas.addEventListener(name, () => {
        drag = null;
      });
    addKeys(canvas, range);
    return () => drag !== null;
  };
}
