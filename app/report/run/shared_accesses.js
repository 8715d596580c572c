// SPDX-License-Identifier: Apache-2.0
// Accesses of warps to shared memory by their wavefronts.
"use strict";

{
  const {element} = tcsim;

  // Bars of accesses by number of wavefronts, in the colours of their kinds.
  tcsim.sharedView = (host, model) => {
    const accesses = model.pictures.shared_accesses;
    if (!accesses) {
      host.append(tcsim.absenceNote(model, "No warp accessed shared memory."));
      return;
    }
    const measures = [
      {value: "wavefronts", text: "wavefronts"},
      {value: "conflicts", text: "bank conflicts"},
    ];
    const names = [...new Set(accesses.map(({kind}) => kind))];
    const box = element("div");
    const draw = (measure) => {
      const values = [...new Set(accesses.map((each) => each[measure]))].sort((a, b) => a - b);
      const count = (kind, value) =>
          tcsim.sum(accesses.filter((each) => each.kind === kind && each[measure] === value).map((each) => each.accesses));
      const noun = measure === "wavefronts" ? "wavefront" : "bank conflict";
      chart.show({
        labels: values.map((value) => tcsim.counted(value, noun)),
        parts: names.map(
            (kind, index) => ({name: kind, colour: tcsim.categoryColour(index), values: values.map((value) => count(kind, value))})),
        title: "accesses of warps",
        format: tcsim.formatNumber,
        label: `Accesses to shared memory by number of ${measure}`,
      });
    };
    host.append(element("div", {class: "controls"}, tcsim.labelledSelect("by", measures, "wavefronts", draw)), box);
    const chart = tcsim.barChart("shared", box);
    host.append(tcsim.legend(names.map((name, index) => ({name, colour: tcsim.categoryColour(index)}))));
    draw("wavefronts");
  };
}
