// SPDX-License-Identifier: Apache-2.0
// The points that failed, by what they said.
"use strict";

{
  const messageOf = (model, row) => `${model.status.values[row]}: ${model.message(row) || "no message"}`;

  tcsim.failureView = (section, host, model, state) => tcsim.pointsByText(
      section, host, model, state,
      {id: "failures-table", head: "message", textsOf: (row) => (model.isFailed(row) ? [messageOf(model, row)] : [])});
}
