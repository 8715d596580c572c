// SPDX-License-Identifier: Apache-2.0
// A table of texts and the points that have them, such as messages. Its section is hidden if there are none.
"use strict";

{
  const {element} = tcsim;
  const mostNames = 10;
  const mostTexts = 200;

  const groups = (model, textsOf) => {
    const rowsOf = new Map();
    for (const row of model.rows)
      for (const text of textsOf(row)) rowsOf.has(text) ? rowsOf.get(text).push(row) : rowsOf.set(text, [row]);
    return [...rowsOf.entries()];
  };

  // textsOf(row) gives the texts of a point; `head` stands over them.
  tcsim.pointsByText = (section, host, model, state, {id, head, textsOf}) => {
    const found = groups(model, textsOf);
    section.hidden = found.length === 0;
    const rows = found.slice(0, mostTexts).map(([text, points]) => {
      const names = points.slice(0, mostNames).map((row) => tcsim.selectButton(model, state, row, `#${model.data.points.number[row]}`));
      const rest = points.length > mostNames ? ` and ${points.length - mostNames} more` : "";
      return element(
          "tr", {}, element("td", {class: "number"}, String(points.length)), element("td", {class: "wrap"}, text),
          element("td", {class: "wrap"}, names.flatMap((name) => [name, " "]), rest));
    });
    const heads = ["points", head, "which"].map((text) => element("th", {scope: "col", class: text === "points" ? "number" : null}, text));
    host.append(element(
        "div", {class: "scroll"}, element("table", {id}, element("thead", {}, element("tr", {}, heads)), element("tbody", {}, rows))));
    if (found.length > mostTexts) host.append(element("p", {class: "faint"}, `and ${found.length - mostTexts} more`));
  };
}
