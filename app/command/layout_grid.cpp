// SPDX-License-Identifier: Apache-2.0
#include "layout_grid.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "wording.hpp"

namespace tcsim {

namespace {

using tc::isa::fragment;
using tc::isa::fragment_layout;
using tc::isa::register_mma;

/// From this many elements a register on, a cell is a register.
constexpr unsigned many_elements = 4;

void add_once(std::vector<unsigned>& values, unsigned value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

bool look_alike(const register_mma& operation, fragment x, fragment y) { return type_of(operation.mma, x) == type_of(operation.mma, y); }

}  // namespace

std::string layout_cell::lane_text() const { return fmt::format("{}", fmt::join(lanes, ",")); }

std::string layout_cell::register_text() const {
  return fmt::format("{}{}", fmt::join(registers, ","), element ? fmt::format(".{}", *element) : "");
}

layout_grid::layout_grid(const fragment_layout& layout, fragment which, unsigned matrix) {
  const unsigned in_register = layout.elements_per_register();
  const bool whole_registers = in_register >= many_elements;
  if (whole_registers) (which == fragment::b ? cell_rows_ : cell_columns_) = in_register;
  rows_ = layout.rows() / cell_rows_;
  columns_ = layout.columns() / cell_columns_;
  for (unsigned row = 0; row < rows_; ++row) {
    for (unsigned column = 0; column < columns_; ++column) {
      layout_cell& cell = cells_.emplace_back();
      for (const tc::isa::fragment_element& holder : layout.holders(row * cell_rows_, column * cell_columns_, matrix)) {
        add_once(cell.lanes, holder.lane);
        add_once(cell.registers, holder.reg);
        if (in_register > 1 && !whole_registers) cell.element = holder.element;
      }
    }
  }
}

std::string layout_grid::range_text(unsigned cell, unsigned size) {
  return size == 1 ? fmt::format("{}", cell) : fmt::format("{}-{}", cell * size, (cell + 1) * size - 1);
}

std::string_view name(fragment which) {
  constexpr std::string_view names = "abcd";
  return names.substr(static_cast<std::size_t>(which), 1);
}

std::vector<pictured_operand> pictured_operands(const register_mma& operation, std::optional<fragment> only) {
  std::vector<pictured_operand> all{{fragment::a, "A"}, {fragment::b, "B"}, {fragment::c, "C"}, {fragment::d, "D"}};
  if (only) return {all[static_cast<std::size_t>(*only)]};
  if (look_alike(operation, fragment::c, fragment::d)) return {all[0], all[1], {fragment::c, "C and D"}};
  return all;
}

std::string size_text(const register_mma& operation, fragment which) {
  const fragment_layout& layout = operation.layout(which);
  return fmt::format("{} x {} of {}", layout.rows(), layout.columns(), tc::isa::name(type_of(operation.mma, which)));
}

std::string packing_text(const register_mma& operation, fragment which) {
  const fragment_layout& layout = operation.layout(which);
  const unsigned wide = layout.registers_per_element();
  const std::string packing = wide > 1 ? fmt::format("{} registers an element, the lower one is shown", wide)
                                       : fmt::format("{} a register", counted(layout.elements_per_register(), "element"));
  return fmt::format("{} a lane, {}", counted(layout.registers(), "register"), packing);
}

std::string quad_pair_text(unsigned matrix) {
  const unsigned low = 4 * matrix, high = low + 16;
  return fmt::format("quad pair {} (lanes {}-{} and {}-{})", matrix, low, low + 3, high, high + 3);
}

}  // namespace tcsim
