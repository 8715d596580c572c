// SPDX-License-Identifier: Apache-2.0
#include "operand_layout.hpp"

#include <algorithm>

namespace tc::engine {

operand_layout::operand_layout(const shared_operand& matrix)
    : matrix_(matrix), cores_(matrix.place.core_matrices()), footprint_(matrix.place.footprint()) {
  const isa::shared_matrix& place = matrix_.place;
  const unsigned rows_of_unit = matrix_.major == isa::matrix_major::k ? 1 : isa::shared_matrix::unit_bytes / place.element_bytes();
  units_.reserve(std::size_t{cores_} * isa::shared_matrix::core_lines);
  cores_of_first_.resize(place.rows());
  for (unsigned core = 0; core < cores_; ++core) {
    for (unsigned line = 0; line < isa::shared_matrix::core_lines; ++line) {
      const isa::matrix_place first = place.unit_place(core, line);
      units_.push_back({place.unit_address(core, line), first.row * matrix_.row_bytes() + first.k * place.element_bytes()});
      for (unsigned row = first.row; row < std::min(first.row + rows_of_unit, place.rows()); ++row) cores_of_first_[row] = core + 1;
    }
  }
  for (std::size_t row = 1; row < cores_of_first_.size(); ++row)
    cores_of_first_[row] = std::max(cores_of_first_[row], cores_of_first_[row - 1]);
}

std::shared_ptr<const operand_layout> operand_layouts::of(const shared_operand& matrix) {
  constexpr std::uint32_t golden_ratio = 0x9e3779b9;  // multiplicative hashing (Knuth, The Art of Computer Programming, volume 3, 6.4)
  const std::uint32_t hash = matrix.place.unit_address(0, 0) / isa::shared_matrix::unit_bytes * golden_ratio;
  std::shared_ptr<const operand_layout>& kept = kept_[hash >> (32 - capacity_bits)];
  if (kept == nullptr || !(kept->matrix() == matrix)) kept = std::make_shared<const operand_layout>(matrix);
  return kept;
}

}  // namespace tc::engine
