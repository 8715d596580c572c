// SPDX-License-Identifier: Apache-2.0
#include "collector_buffer.hpp"

#include <tuple>

namespace tc::engine {

namespace {

auto members(const collected_operand& operand) {
  const isa::shared_matrix& place = operand.matrix.place;
  return std::make_tuple(operand.kernel, operand.cta, operand.descriptor, place.rows(), place.k(), place.element_bytes(),
                         operand.matrix.major, operand.matrix.decompression);
}

}  // namespace

bool operator==(const collected_operand& x, const collected_operand& y) { return members(x) == members(y); }

collector_buffer::operand collector_buffer::pass(const collected_operand& wanted, isa::collector_use use, operand_matrices& matrices) {
  const bool may_take = use == isa::collector_use::use || use == isa::collector_use::last_use;
  const bool leaves = use == isa::collector_use::fill || use == isa::collector_use::use;
  operand result;
  result.held = may_take && matrix_ != nullptr && *content_ == wanted;
  result.matrix = result.held ? matrix_ : matrices.begin(wanted.matrix);
  matrix_ = leaves ? result.matrix : nullptr;
  content_ = wanted;
  return result;
}

}  // namespace tc::engine
