// SPDX-License-Identifier: Apache-2.0
#include "layout_text.hpp"

#include <fmt/format.h>

#include "layout_grid.hpp"
#include "text_table.hpp"

namespace tcsim {

namespace {

std::string cell_text(const layout_cell& cell) {
  return cell.lanes.empty() ? "-" : fmt::format("{}:{}", cell.lane_text(), cell.register_text());
}

std::string grid_text(const layout_grid& grid) {
  text_table table(std::vector(grid.columns() + 1, text_table::align::right));
  std::vector<std::string> header{""};
  for (unsigned column = 0; column < grid.columns(); ++column) header.push_back(grid.column_text(column));
  table.add(header);
  for (unsigned row = 0; row < grid.rows(); ++row) {
    std::vector<std::string> cells{grid.row_text(row)};
    for (unsigned column = 0; column < grid.columns(); ++column) cells.push_back(cell_text(grid.at(row, column)));
    table.add(cells);
  }
  return table.text(2);
}

}  // namespace

std::string layout_text(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<tc::isa::fragment> only) {
  std::string text = fmt::format(
      "{} on {}: D = A x B + C\n"
      "lane:register.element, element 0 in the lowest bits; without .element the whole register\n",
      operation.name, architecture);
  const unsigned matrices = operation.layout(tc::isa::fragment::a).matrices();
  for (const pictured_operand& operand : pictured_operands(operation, only)) {
    text += fmt::format("\n{}: {}, {}\n", operand.name, size_text(operation, operand.which), packing_text(operation, operand.which));
    for (unsigned matrix = 0; matrix < matrices; ++matrix) {
      if (matrices > 1) text += quad_pair_text(matrix) + '\n';
      text += grid_text(layout_grid(operation.layout(operand.which), operand.which, matrix));
    }
  }
  return text;
}

}  // namespace tcsim
