// SPDX-License-Identifier: Apache-2.0
// What all views of the page share: which points the filters leave, which are selected.
"use strict";

{
  tcsim.makeViewState = (model) => {
    const filters = new Map();  // predicates by column
    const listeners = [];
    const state = {shown: model.rows, selected: [], isSelected: new Set()};
    const tell = (change) => listeners.forEach((listener) => listener(change));

    const filterRows = () => {
      const active = [...filters.entries()];
      state.shown = model.rows.filter((row) => active.every(([column, test]) => test(column.values[row])));
      tell("filter");
    };

    const select = (rows) => {
      state.selected = rows;
      state.isSelected = new Set(rows);
      tell("selection");
    };

    return {
      shown: () => state.shown,
      selected: () => state.selected,
      isSelected: (row) => state.isSelected.has(row),
      filterCount: () => filters.size,
      // `listener` gets "filter", "selection", or, ahead of "filter", "clear".
      subscribe: (listener) => listeners.push(listener),
      setFilter: (column, test) => {
        if (test)
          filters.set(column, test);
        else
          filters.delete(column);
        filterRows();
      },
      clearFilters: () => {
        filters.clear();
        tell("clear");
        filterRows();
      },
      select,
      toggle: (row) => select(state.isSelected.has(row) ? state.selected.filter((each) => each !== row) : [...state.selected, row]),
    };
  };
}
