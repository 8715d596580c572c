// SPDX-License-Identifier: Apache-2.0
#include "operand_matrix.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

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

void operand_matrix::begin(std::shared_ptr<const operand_layout> layout, bool data) {
  layout_ = std::move(layout);
  unpacked_ = 0;
  if (!data) return;
  cores_.resize(std::size_t{cores()} * core_bytes);
  rows_.resize(std::size_t{place().rows()} * row_bytes() / sizeof(std::uint32_t));
}

const std::uint32_t* operand_matrix::rows(unsigned cores_there) {
  for (; unpacked_ < cores_there; ++unpacked_) unpack(unpacked_);
  return rows_.data();
}

void operand_matrix::unpack(unsigned core) {
  constexpr std::size_t unit_bytes = isa::shared_matrix::unit_bytes;
  const shared_operand& matrix = layout_->matrix();
  const bool is_packed = matrix.decompression == isa::tensor_copy_decompression::none;
  const std::size_t row = row_bytes(), element = place().element_bytes();
  auto* const bytes = reinterpret_cast<unsigned char*>(rows_.data());
  isa::copy_unit unit{};
  for (unsigned l = 0; l < isa::shared_matrix::core_lines; ++l) {
    unsigned char* const to = bytes + layout_->at(core, l).row_at;
    std::memcpy(unit.data(), line(core, l), unit_bytes);
    if (!is_packed) unit = isa::decompress(unit, matrix.decompression);
    if (matrix.major == isa::matrix_major::k) {
      std::memcpy(to, unit.data(), unit_bytes);
    } else {
      for (std::size_t i = 0; i * element < unit_bytes; ++i) std::memcpy(to + i * row, unit.data() + i * element, element);
    }
  }
}

std::shared_ptr<operand_matrix> operand_matrices::begin(const shared_operand& matrix) {
  const auto is_free = [](const std::shared_ptr<operand_matrix>& each) { return each.use_count() == 1; };
  auto found = std::find_if(matrices_.begin(), matrices_.end(), is_free);
  if (found == matrices_.end()) found = matrices_.insert(found, std::make_shared<operand_matrix>());
  (*found)->begin(layouts_.of(matrix), data_);
  return *found;
}

}  // namespace tc::engine
