// SPDX-License-Identifier: Apache-2.0
// Puts the page of a sweep together.
"use strict";

{
  // So that nothing is empty at first: the two ends of the first workload's front, or whatever has a result.
  const firstSelection = (model) => {
    const choice = tcsim.paretoChoice(model);
    const fronts = choice ? tcsim.paretoFronts(model, model.rows, ...choice) : [];
    const front = fronts.length > 0 ? fronts[0].rows : [];
    const others =
        model.rows.filter((row) => model.hasResult(row) && (front.length === 0 || model.workload.values[row] === fronts[0].workload));
    return [...new Set([front[0], front[front.length - 1], ...others].filter((row) => row !== undefined))].slice(0, 2);
  };

  const model = tcsim.makeModel(tcsim.readData());
  const state = tcsim.makeViewState(model);
  const place = (id) => document.getElementById(id);
  state.select(firstSelection(model));

  tcsim.summaryView(place("summary"), model, state);
  tcsim.statusBar(place("status"), model, state);
  tcsim.scatterView(place("scatter"), model, state);
  tcsim.paretoView(place("pareto"), place("pareto-list"), model, state);
  tcsim.pointTable(place("points"), model, state);
  tcsim.stallView(place("stalls"), model, state);
  tcsim.comparisonView(place("comparison"), model, state);
  tcsim.failureView(place("failed-section"), place("failed"), model, state);
  tcsim.warningView(place("warned-section"), place("warned"), model, state);
  place("source").textContent = model.data.sweep.source;
  place("written").textContent = `Written by tcsim ${model.data.tcsim}.`;
}
