// SPDX-License-Identifier: Apache-2.0
// What selects a point: the box of a table's row, a button in a text.
"use strict";

{
  const {element} = tcsim;

  // A row of a table: the box, and the values of the columns.
  tcsim.selectableRow = (model, state, row, columns) => {
    const isSelected = state.isSelected(row);
    const label = `select point ${model.data.points.number[row]}`;
    const box = element("input", {type: "checkbox", checked: isSelected, "aria-label": label, onchange: () => state.toggle(row)});
    const cells = columns.map((column) => {
      const isBad = column.kind === "status" && model.isFailed(row);
      const classes = [column.isNumeric ? "number" : "", isBad ? "bad" : ""].join(" ").trim();
      return element("td", {class: classes || null}, column.format(column.values[row]));
    });
    return element("tr", {"data-row": row, "aria-selected": String(isSelected)}, element("td", {}, box), cells);
  };

  // Shows in the rows that stand there already what is selected now: the box that was clicked keeps the focus.
  tcsim.markSelected = (body, state) => {
    for (const line of body.rows) {
      const isSelected = state.isSelected(Number(line.dataset.row));
      line.setAttribute("aria-selected", String(isSelected));
      line.querySelector("input").checked = isSelected;
    }
  };

  tcsim.selectButton = (model, state, row, text) => {
    const select = () => state.isSelected(row) || state.toggle(row);
    return element("button", {type: "button", class: "link", title: model.name(row), onclick: select}, text);
  };

  tcsim.selectionHead = () => element("th", {scope: "col"}, element("span", {class: "hidden"}, "selected"));
}
