// Tensor memory as a picture of lanes and columns, coloured by where the content of each cell was written, with a slider over cycles.
"use strict";

{
  const {element} = tcsim;
  const gutter = 40;
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

  const memoryPicture = (host, model, memory) => {
    const {changes} = memory;
    const cells = tcsim.tensorCells(changes);
    const steps = stepsOf(changes);
    const first = Math.max(0, changes[0][0] - 1);
    const last = Math.max(steps.last, Math.min(model.pictures.window.last, model.run.cycles));
    let [cycle, kind, timer] = [steps.last, "stripes", 0];

    const scaled = document.createElement("canvas");
    [scaled.width, scaled.height] = [cells.columns, cells.lanes];
    const sizeOf = (width) =>
        ({width: (width - gutter) / cells.columns, height: Math.max(2, Math.round((width - gutter) / cells.columns * 2))});
    const draw = (context, width) => {
      const size = sizeOf(width);
      scaled.getContext("2d").putImageData(cellImage(cells, changes, kind), 0, 0);
      context.imageSmoothingEnabled = false;
      context.drawImage(scaled, gutter, 18, width - gutter, size.height * cells.lanes);
      context.fillStyle = tcsim.theme().faint;
      for (let lane = 0; lane < cells.lanes; lane += 32) {
        context.fillText(`${lane}`, 4, 18 + (lane + 2) * size.height);
        context.fillRect(gutter - 6, 18 + lane * size.height, 6, 1);
      }
      for (let column = 0; column < cells.columns; column += 64) context.fillText(`${column}`, gutter + column * size.width, 8);
    };
    const describe = (x, y) => {
      const size = sizeOf(picture.width());
      const [lane, column] = [Math.floor((y - 18) / size.height), Math.floor((x - gutter) / size.width)];
      if (lane < 0 || lane >= cells.lanes || column < 0 || column >= cells.columns) return null;
      const {source, change} = cells.cell(lane, column);
      if (change < 0) return [`lane ${lane}, column ${column}`, "empty"];
      const [written, , , , , , text] = changes[change];
      return [
        `lane ${lane}, column ${column}`, `written in lane ${source} at cycle ${tcsim.formatNumber(written)}`,
        model.text(text) || "by an instruction that is not known"
      ];
    };

    const slider = element("input", {type: "range", min: first, max: last, step: 1, "aria-label": "cycle", id: "tensor-cycle"});
    const told = element("span", {id: "tensor-change"});
    const show = (next) => {
      cycle = Math.min(Math.max(next, first), last);
      slider.value = cycle;
      const count = cells.goTo(cycle);
      told.textContent = `cycle ${tcsim.formatNumber(cycle)}; last change in ${kindText(changes[count - 1], model)}`;
      picture.redraw();
    };
    const stop = () => {
      clearInterval(timer);
      timer = 0;
      play.textContent = "Play";
    };
    const goTo = (next) => {
      stop();
      if (next !== undefined) show(next);
    };
    slider.addEventListener("input", () => goTo(Number(slider.value)));
    const button = (text, onclick, more = {}) => element("button", {type: "button", onclick, ...more}, text);
    const play = button("Play", () => {
      if (timer) return stop();
      play.textContent = "Pause";
      if (cycle >= steps.last) show(first);
      timer = setInterval(() => {
        const next = steps.after(cycle);
        if (next === undefined) return stop();
        show(next);
      }, playPause);
    }, {id: "tensor-play"});
    host.append(
        element(
            "div", {class: "controls"}, play, button("Change before", () => goTo(steps.before(cycle))),
            button("Next change", () => goTo(steps.after(cycle))),
            button("Next shift", () => goTo(steps.shiftAfter(cycle)), {disabled: !steps.hasShifts, id: "tensor-shift"}),
            tcsim.labelledSelect(
                "colour", colourings, kind,
                (value) => {
                  kind = value;
                  picture.redraw();
                })),
        element("div", {class: "controls"}, slider, told));
    const picture = tcsim.canvasView(host, {
      label: "Cells of the tensor memory: 128 lanes from top to bottom, 512 columns from left to right",
      heightOf: (width) => 18 + sizeOf(width).height * cells.lanes,
      draw,
      describe,
      cursor: "crosshair",
    });
    tcsim.pictures.tensorMemory = {
      ...picture,
      cells,
      show,
      cycle: () => cycle,
      place: (lane, column) => {
        const size = sizeOf(picture.width());
        return {x: gutter + (column + 0.5) * size.width, y: 18 + (lane + 0.5) * size.height};
      },
    };
    show(cycle);
    return stop;
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
