// SPDX-License-Identifier: Apache-2.0
// The points that failed, by what they said.
"use strict";

{
  const {element} = tcsim;
  const mostNames = 10;

  tcsim.failureView = (section, host, model, state) => {
    const byMessage = new Map();
    for (const row of model.rows.filter(model.isFailed)) {
      const message = `${model.status.values[row]}: ${model.run(row).message || "no message"}`;
      byMessage.set(message, [...(byMessage.get(message) ?? []), row]);
    }
    section.hidden = byMessage.size === 0;
    const rows = [...byMessage.entries()].map(([message, failed]) => {
      const names = failed.slice(0, mostNames).map((row) => tcsim.selectButton(model, state, row, `#${model.data.points.number[row]}`));
      const rest = failed.length > mostNames ? ` and ${failed.length - mostNames} more` : "";
      return element(
          "tr", {}, element("td", {class: "number"}, String(failed.length)), element("td", {class: "wrap"}, message),
          element("td", {class: "wrap"}, names.flatMap((name) => [name, " "]), rest));
    });
    const head =
        ["points", "message", "which"].map((text) => element("th", {scope: "col", class: text === "points" ? "number" : null}, text));
    host.append(element(
        "div", {class: "scroll"},
        element("table", {id: "failures-table"}, element("thead", {}, element("tr", {}, head)), element("tbody", {}, rows))));
  };
}
