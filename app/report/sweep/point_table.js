// SPDX-License-Identifier: Apache-2.0
// The table of all points: a filter and an order for each column, a page at a time.
"use strict";

{
  const {element} = tcsim;
  const filterHelp = "A filter is a value or several (1, 2, 4), a range (2..8) or a comparison (>=4, !=4); for texts, a part of them. " +
      "Filters hold for the charts too.";
  const pageSizes = [25, 50, 100, 500];

  const compare = (a, b) => {
    if (a === b) return 0;
    if (a === null) return 1;  // what is missing stands last
    if (b === null) return -1;
    if (typeof a === "number" && typeof b === "number") return a - b;
    return String(a).localeCompare(String(b), "en", {numeric: true});
  };

  const sorted = (rows, column, isDescending) => {
    const direction = isDescending ? -1 : 1;
    return [...rows].sort((a, b) => {
      const [first, second] = [column.values[a], column.values[b]];
      const order = first === null || second === null ? compare(first, second) : direction * compare(first, second);
      return order || a - b;
    });
  };

  const filterInput = (column, state) => {
    const pauseMs = 120;  // of the typing, before all views are drawn anew
    let timer = 0;
    const input = element("input", {type: "search", size: 6, "aria-label": `filter ${column.name}`, placeholder: "filter"});
    const apply = () => {
      try {
        state.setFilter(column, tcsim.parseFilter(input.value, column.isNumeric));
        input.removeAttribute("aria-invalid");
        input.title = "";
      } catch (error) {
        input.setAttribute("aria-invalid", "true");
        input.title = error.message;
      }
    };
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(apply, pauseMs);
    });
    return input;
  };

  const pageControls = (view, redraw) => {
    const go = (name, change) => element(
        "button", {
          type: "button",
          onclick: () => {
            view.page = change();
            redraw();
          }
        },
        name);
    const first = go("First", () => 0);
    const previous = go("Previous", () => view.page - 1);
    const next = go("Next", () => view.page + 1);
    const last = go("Last", () => view.pages - 1);
    const where = element("span", {"aria-live": "polite"});
    const size = tcsim.labelledSelect(
        "Rows", pageSizes.map((value) => ({value: String(value), text: String(value)})), String(view.size), (value) => {
          view.size = Number(value);
          view.page = 0;
          redraw();
        });
    const update = () => {
      first.disabled = previous.disabled = view.page === 0;
      next.disabled = last.disabled = view.page >= view.pages - 1;
      where.textContent = `page ${view.page + 1} of ${view.pages}`;
    };
    return {bar: element("div", {class: "controls pages"}, first, previous, where, next, last, size), update};
  };

  tcsim.pointTable = (host, model, state) => {
    const view = {sortedBy: model.columns[0], isDescending: false, page: 0, pages: 1, size: 25};
    const body = element("tbody");
    const headers = new Map();

    const redraw = () => {
      const rows = sorted(state.shown(), view.sortedBy, view.isDescending);
      view.pages = Math.max(1, Math.ceil(rows.length / view.size));
      view.page = Math.min(view.page, view.pages - 1);
      body.replaceChildren(...rows.slice(view.page * view.size, (view.page + 1) * view.size)
                               .map((row) => tcsim.selectableRow(model, state, row, model.columns)));
      for (const [column, header] of headers)
        header.setAttribute("aria-sort", column !== view.sortedBy ? "none" : view.isDescending ? "descending" : "ascending");
      pages.update();
    };
    const pages = pageControls(view, redraw);

    const sortBy = (column) => {
      view.isDescending = view.sortedBy === column && !view.isDescending;
      view.sortedBy = column;
      view.page = 0;
      redraw();
    };
    const headerOf = (column) => {
      const unit = column.unit ? element("span", {class: "unit"}, ` [${column.unit}]`) : null;
      const button = element(
          "button", {type: "button", class: "sort", title: column.description || null, onclick: () => sortBy(column)}, column.name, unit);
      const header = element("th", {scope: "col", class: column.isNumeric ? "number" : null}, button);
      headers.set(column, header);
      return header;
    };

    const filters = model.columns.map((column) => filterInput(column, state));
    const head = element(
        "thead", {}, element("tr", {}, tcsim.selectionHead(), model.columns.map(headerOf)),
        element("tr", {class: "filters"}, element("td"), filters.map((input) => element("td", {}, input))));
    host.append(
        element("p", {class: "faint"}, filterHelp),
        element(
            "div", {class: "scroll"},
            element("table", {id: "points-table"}, element("caption", {class: "hidden"}, "All points of the sweep"), head, body)),
        pages.bar);

    const emptyFilters = () => {
      for (const input of filters) {
        input.value = "";
        input.removeAttribute("aria-invalid");
        input.title = "";
      }
    };
    const onFilter = () => {
      view.page = 0;
      redraw();
    };
    state.subscribe((change) => ({selection: () => tcsim.markSelected(body, state), clear: emptyFilters, filter: onFilter})[change]());
    redraw();
  };
}
