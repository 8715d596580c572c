// SPDX-License-Identifier: Apache-2.0
#include "sweep_page.hpp"

#include "html_page.hpp"
#include "sweep_data.hpp"

namespace tcsim {

std::string sweep_page(const result_store& results) {
  html_page page;
  page.title = results.outline().name + " \u00b7 tcsim";
  page.body = "sweep.html";
  page.styles = {"sweep.css"};
  page.scripts = {"columns.js", "filters.js", "view_state.js", "row_select.js", "point_table.js", "scatter.js",
                  "pareto.js",  "stalls.js",  "comparison.js", "failures.js",   "summary.js",     "main.js"};
  page.data = sweep_data(results);
  return html_text(page);
}

}  // namespace tcsim
