// SPDX-License-Identifier: Apache-2.0
#include "tensor_operand_layout.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace tc::isa {
namespace {

/// Lanes between the copies of a row in layout B, whose halves compute different columns of D with the same rows.
constexpr unsigned copy_lanes = tensor_lanes / 2;

}  // namespace

unsigned operand_bits(mma_kind kind) { return tensor_operand_layout::columns * tensor_cell_bits / mma_k(kind, false); }

tensor_operand_layout::tensor_operand_layout(const mma_form& form, unsigned m, tensor_address address)
    : layout_(layout_of(form, m)), m_(m), bits_(operand_bits(form.kind)), address_(address) {
  if (layout_ == data_path_layout::e || layout_ == data_path_layout::g) {
    throw std::invalid_argument(fmt::format("where A of tcgen05.mma.ws with M = {} lies in tensor memory is not published", m));
  }
  if (const std::string mistake = first_lane_mistake(layout_, address.lane, "A"); !mistake.empty()) throw std::invalid_argument(mistake);
  if (const std::string mistake = column_range_mistake(tensor_range(), "A"); !mistake.empty()) throw std::invalid_argument(mistake);
}

std::vector<operand_cell> tensor_operand_layout::cells(matrix_place place) const {
  const unsigned first_bit = place.k * bits_;
  tensor_cell cell = row_place(layout_, place.row, address_.lane);
  cell.address.column = address_.column + first_bit / tensor_cell_bits;
  const operand_cell first{cell, first_bit % tensor_cell_bits};
  if (layout_ != data_path_layout::b) return {first};
  cell.address.lane += copy_lanes;
  return {first, {cell, first.bit}};
}

std::optional<matrix_place> tensor_operand_layout::find(const tensor_cell& cell, unsigned bit) const {
  const tensor_address at = cell.address;
  if (at.column < address_.column || at.column >= address_.column + columns) return std::nullopt;
  const std::optional<data_path_row> found = find_row(layout_, m_, cell, address_.lane);
  if (!found) return std::nullopt;
  return matrix_place{found->row, ((at.column - address_.column) * tensor_cell_bits + bit) / bits_};
}

}  // namespace tc::isa
