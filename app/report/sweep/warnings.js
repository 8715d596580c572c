// SPDX-License-Identifier: Apache-2.0
// What the model warned of, with the points that it concerns.
"use strict";

{
  tcsim.warningView = (section, host, model, state) =>
      tcsim.pointsByText(section, host, model, state, {id: "warnings-table", head: "warning", textsOf: (row) => model.run(row).warnings});
}
