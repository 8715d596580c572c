// SPDX-License-Identifier: Apache-2.0
// Tensor memory as a picture of lanes and columns, coloured by where the content of each cell was written, with a slider over cycles.
"use strict";

{
  const {element} = tcsim;
  const gutter = 40;
  const axisHeight = 18;
  const playPause = 90;  // ms from a change to the next
  const colourings = [
    {value: "stripes", text: "lane it was written in, in stripes"},
    {value: "lanes", text: "lane it was written in, in order"},
    {value: "writers", text: "instruction that wrote it"},
  ];

  const rgb = (colour) => {
    const hex = /^#(..)(..)(..)$/.exec(colour);
    return hex ? hex.slice(1).map((part) => parseInt(part, 16)) : colour.match(/\d+/g).map(Number);
  };

  const cellColour = (kind, source, text) => {
    if (kind === "stripes") return tcsim.categoryColour(source % 6);
    if (kind === "lanes") return tcsim.rampColour(source / 127);
    return tcsim.categoryColour(text);
  };

  const kindText = (change, model) => {
    if (!change) return "nothing was written yet";
    const [cycle, kind, lane, lanes, column, columns, text] = change;
    const what = ["writes", "shifts", "empties"][kind];
    return `cycle ${tcsim.formatNumber(cycle)}: ${model.text(text) || "an instruction"} ${what} lanes ${lane} to ${
        lane + lanes - 1}, columns ${column} to ${column + columns - 1}`;
  };

  const contentText = ({source, change}, changes, model) => {
    if (change < 0) return ["empty"];
    const [cycle, , , , , , text] = changes[change];
    return [`written in lane ${source} at cycle ${tcsim.formatNumber(cycle)}`, model.text(text) || "by an instruction that is not known"];
  };

  // The cells as an image of a pixel each.
  const cellImage = (cells, changes, kind) => {
    const image = new ImageData(cells.columns, cells.lanes);
    const known = new Map();
    const empty = rgb(tcsim.theme().raised);
    for (let lane = 0; lane < cells.lanes; ++lane) {
      for (let column = 0; column < cells.columns; ++column) {
        const {source, change} = cells.cell(lane, column);
        const key = change < 0 ? -1 : kind === "writers" ? changes[change][6] : source;
        if (!known.has(key)) known.set(key, change < 0 ? empty : rgb(cellColour(kind, source, changes[change][6])));
        image.data.set([...known.get(key), 255], 4 * (lane * cells.columns + column));
      }
    }
    return image;
  };

  // Where the slider can go, and the steps to the changes around it.
  const stepsOf = (changes) => {
    const cycles = [...new Set(changes.map(([cycle]) => cycle))];
    const shifts = [...new Set(changes.filter(([, kind]) => kind === 1).map(([cycle]) => cycle))];
    return {
      after: (cycle) => cycles.find((each) => each > cycle),
      before: (cycle) => cycles.filter((each) => each < cycle).pop(),
      shiftAfter: (cycle) => shifts.find((each) => each > cycle),
      hasShifts: shifts.length > 0,
      last: cycles[cycles.length - 1],
    };
  };

  // The picture of the cells as they are; `colouring()` is how.
  const cellPicture = (host, model, {cells, changes, colouring}) => {
    const image = document.createElement("canvas");  // a pixel for each cell
    [image.width, image.height] = [cells.columns, cells.lanes];
    const sizeOf = (width) => {
      const cell = (width - gutter) / cells.columns;
      return {width: cell, height: Math.max(2, Math.round(2 * cell))};
    };
    const draw = (context, width) => {
      const size = sizeOf(width);
      image.getContext("2d").putImageData(cellImage(cells, changes, colouring()), 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(image, gutter, axisHeight, width - gutter, size.height * cells.lanes);
      context.fillStyle = tcsim.theme().faint;
      for (let lane = 0; lane < cells.lanes; lane += 32) {
        context.fillText(`${lane}`, 4, axisHeight + (lane + 2) * size.height);
        context.fillRect(gutter - 6, axisHeight + lane * size.height, 6, 1);
      }
      for (let column = 0; column < cells.columns; column += 64) context.fillText(`${column}`, gutter + column * size.width, 8);
    };
    const describe = (x, y) => {
      const size = sizeOf(picture.width());
      const [lane, column] = [Math.floor((y - axisHeight) / size.height), Math.floor((x - gutter) / size.width)];
      const isOutside = lane < 0 || lane >= cells.lanes || column < 0 || column >= cells.columns;
      return isOutside ? null : [`lane ${lane}, column ${column}`, ...contentText(cells.cell(lane, column), changes, model)];
    };
    const picture = tcsim.canvasView(host, {
      label: "Cells of the tensor memory: 128 lanes from top to bottom, 512 columns from left to right",
      heightOf: (width) => axisHeight + sizeOf(width).height * cells.lanes,
      draw,
      describe,
      cursor: "crosshair",
    });
    const place = (lane, column) => {
      const size = sizeOf(picture.width());
      return {x: gutter + (column + 0.5) * size.width, y: axisHeight + (lane + 0.5) * size.height};
    };
    return {...picture, place};
  };

  // Goes from change to change when it is pressed, until it is pressed again or there are no more: advance() says whether there are.
  const playButton = (restart, advance) => {
    let timer = 0;
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      button.textContent = "Play";
    };
    const start = () => {
      restart();
      button.textContent = "Pause";
      timer = setInterval(() => advance() || stop(), playPause);
    };
    const button = element("button", {type: "button", id: "tensor-play", onclick: () => (timer ? stop() : start())}, "Play");
    return {button, stop};
  };

  // Returns what stops it.
  const memoryPicture = (host, model, {changes}) => {
    const cells = tcsim.tensorCells(changes);
    const steps = stepsOf(changes);
    const first = Math.max(0, changes[0][0] - 1);
    const last = Math.max(steps.last, Math.min(model.pictures.window.last, model.run.cycles));
    let [cycle, kind] = [steps.last, "stripes"];

    const slider = element("input", {type: "range", min: first, max: last, step: 1, "aria-label": "cycle", id: "tensor-cycle"});
    const told = element("span", {id: "tensor-change"});
    const show = (next) => {
      cycle = Math.min(Math.max(next, first), last);
      slider.value = cycle;
      const count = cells.goTo(cycle);
      told.textContent = `cycle ${tcsim.formatNumber(cycle)}; last change in ${kindText(changes[count - 1], model)}`;
      picture.redraw();
    };
    const advance = () => {
      const next = steps.after(cycle);
      if (next !== undefined) show(next);
      return next !== undefined;
    };
    const play = playButton(() => cycle >= steps.last && show(first), advance);
    const goTo = (next) => {
      play.stop();
      if (next !== undefined) show(next);
    };
    slider.addEventListener("input", () => goTo(Number(slider.value)));
    const button = (text, stepTo, more = {}) => element("button", {type: "button", onclick: () => goTo(stepTo(cycle)), ...more}, text);
    const chooseKind = (value) => {
      kind = value;
      picture.redraw();
    };
    host.append(
        element(
            "div", {class: "controls"}, play.button, button("Change before", steps.before), button("Next change", steps.after),
            button("Next shift", steps.shiftAfter, {disabled: !steps.hasShifts, id: "tensor-shift"}),
            tcsim.labelledSelect("colour", colourings, kind, chooseKind)),
        element("div", {class: "controls"}, slider, told));
    const picture = cellPicture(host, model, {cells, changes, colouring: () => kind});
    tcsim.pictures.tensorMemory = {...picture, cells, show, cycle: () => cycle};
    show(cycle);
    return play.stop;
  };

  tcsim.tensorMemoryView = (section, host, model) => {
    const memories = (model.pictures.tensor_memories ?? []).filter(({changes}) => changes.length > 0);
    section.hidden = memories.length === 0;
    if (memories.length === 0) return;
    const box = element("div");
    let stop = () => {};
    const show = (path) => {
      stop();
      box.replaceChildren();
      stop = memoryPicture(box, model, memories.find((memory) => memory.path === path));
    };
    const paths = memories.map(({path}) => ({value: path, text: path}));
    if (paths.length > 1) host.append(element("div", {class: "controls"}, tcsim.labelledSelect("memory", paths, paths[0].value, show)));
    host.append(box);
    show(paths[0].value);
  };
}
