// SPDX-License-Identifier: Apache-2.0
#include "layout_json.hpp"

#include <vector>

#include <fmt/format.h>

#include "layout_grid.hpp"

namespace tcsim {

namespace {

using tc::isa::fragment;
using tc::isa::fragment_layout;

std::string array_of(const std::vector<std::string>& items, std::string_view separator = ",") {
  return fmt::format("[{}]", fmt::join(items, separator));
}

/// A lane's elements in the order of its registers.
std::vector<tc::isa::matrix_position> elements_of(const fragment_layout& layout, unsigned lane) {
  std::vector<tc::isa::matrix_position> elements;
  for (unsigned reg = 0; reg < layout.registers(); reg += layout.registers_per_element())
    for (unsigned element = 0; element < layout.elements_per_register(); ++element) elements.push_back(layout.position(lane, reg, element));
  return elements;
}

std::string lanes_of(const fragment_layout& layout) {
  std::vector<std::string> lanes;
  for (unsigned lane = 0; lane < fragment_layout::lanes; ++lane) {
    std::vector<std::string> elements;
    for (const auto& at : elements_of(layout, lane)) elements.push_back(fmt::format("[{},{}]", at.row, at.column));
    lanes.push_back(array_of(elements));
  }
  return array_of(lanes, ",\n     ");
}

std::string matrix_of_lanes(const fragment_layout& layout) {
  std::vector<std::string> matrices;
  for (unsigned lane = 0; lane < fragment_layout::lanes; ++lane) matrices.push_back(fmt::format("{}", layout.position(lane, 0, 0).matrix));
  return array_of(matrices);
}

std::string holders_of(const fragment_layout& layout, unsigned matrix) {
  std::vector<std::string> rows;
  for (unsigned row = 0; row < layout.rows(); ++row) {
    std::vector<std::string> columns;
    for (unsigned column = 0; column < layout.columns(); ++column) {
      std::vector<std::string> holders;
      for (const auto& holder : layout.holders(row, column, matrix))
        holders.push_back(fmt::format("[{},{},{}]", holder.lane, holder.reg, holder.element));
      columns.push_back(array_of(holders));
    }
    rows.push_back(array_of(columns));
  }
  return array_of(rows, ",\n     ");
}

/// Whether a lane holds a row or a column of A or of B; the text of a key, or nothing for C and D.
std::string order_of(const tc::isa::mma_operation& mma, fragment which) {
  if (which != fragment::a && which != fragment::b) return "";
  const bool by_columns = which == fragment::a ? mma.a_column : mma.b_column;
  return fmt::format(R"( "order": "{}",)", by_columns ? "col" : "row");
}

std::string operand_json(const tc::isa::register_mma& operation, fragment which) {
  const fragment_layout& layout = operation.layout(which);
  std::vector<std::string> matrices;
  for (unsigned matrix = 0; matrix < layout.matrices(); ++matrix) matrices.push_back(holders_of(layout, matrix));
  return fmt::format(
      "  {{\"operand\": \"{}\", \"type\": \"{}\",{} \"rows\": {}, \"columns\": {}, \"matrices\": {},\n"
      "   \"registers\": {}, \"registers_per_element\": {}, \"elements_per_register\": {}, \"elements_per_lane\": {},\n"
      "   \"matrix_of_lane\": {},\n   \"lanes\": {},\n   \"holders\": {}}}",
      name(which), tc::isa::name(type_of(operation.mma, which)), order_of(operation.mma, which), layout.rows(), layout.columns(),
      layout.matrices(), layout.registers(), layout.registers_per_element(), layout.elements_per_register(), layout.elements(),
      matrix_of_lanes(layout), lanes_of(layout), array_of(matrices, ",\n    "));
}

}  // namespace

std::string layout_json(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<fragment> only) {
  std::vector<std::string> operands;
  for (const fragment which : {fragment::a, fragment::b, fragment::c, fragment::d})
    if (!only || *only == which) operands.push_back(operand_json(operation, which));
  return fmt::format("{{\"operation\": \"{}\", \"arch\": \"{}\", \"operands\": [\n{}]}}\n", operation.name, architecture,
                     fmt::join(operands, ",\n"));
}

}  // namespace tcsim
