// SPDX-License-Identifier: Apache-2.0
// Puts the page of a run together.
"use strict";

{
  const model = tcsim.makeRun(tcsim.readData());
  const place = (id) => document.getElementById(id);
  tcsim.runSummary(place("summary"), model);
  tcsim.kernelTable(place("kernels"), model);
  tcsim.warningList(place("warnings-section"), place("warnings"), model);
  tcsim.stackView(place("stalls"), place("slots"), model);
  tcsim.utilisationView(place("utilisation"), place("units"), model);
  tcsim.ganttView(place("gantt"), model);
  tcsim.tensorMemoryView(place("tensor-section"), place("tensor"), model);
  tcsim.bankView(place("banks"), model);
  tcsim.sharedView(place("shared"), model);
  tcsim.configurationView(place("configuration"), model);
  place("written").textContent = `Written by tcsim ${model.data.tcsim}.`;
}
