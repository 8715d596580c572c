// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tc/isa/shared_matrix.hpp>
#include <tc/isa/tcgen05/copy_shape.hpp>

namespace tc::engine {

/// Where a matrix of an instruction lies in shared memory, and what its bytes become on the way to the multipliers.
struct shared_operand {
  isa::shared_matrix place;
  isa::matrix_major major = isa::matrix_major::k;
  /// Of each unit of 16 bytes: elements of 4 and 6 bits get a byte each.
  isa::tensor_copy_decompression decompression = isa::tensor_copy_decompression::none;

  unsigned row_bytes() const { return place.k() * place.element_bytes(); }
  bool operator==(const shared_operand& other) const {
    return place == other.place && major == other.major && decompression == other.decompression;
  }
};

/// Where the units of a matrix come from and go to, by core matrix, then line.
class operand_layout {
 public:
  struct unit {
    std::uint32_t address;  ///< of its 16 bytes in the CTA's window
    std::uint32_t row_at;   ///< byte of its first element among the rows: see operand_matrix::rows()
  };

  explicit operand_layout(const shared_operand& matrix);

  const shared_operand& matrix() const { return matrix_; }
  unsigned cores() const { return cores_; }
  const unit& at(unsigned core, unsigned line) const { return units_[core * isa::shared_matrix::core_lines + line]; }
  /// Core matrices, from the first one on, that hold all of the first so many rows of A, or columns of B; all if it has no more of them, as
  /// half of a pair's.
  unsigned cores_of_first(unsigned rows) const {
    if (rows >= cores_of_first_.size()) return cores_;
    return rows == 0 ? 0 : cores_of_first_[rows - 1];
  }
  /// From the first byte in shared memory to behind the last.
  const isa::byte_range& footprint() const { return footprint_; }

 private:
  shared_operand matrix_;
  unsigned cores_;
  isa::byte_range footprint_{};
  std::vector<unit> units_;
  std::vector<unsigned> cores_of_first_;  ///< by the last of the rows
};

/// The layouts of the matrices that a unit reads. A kernel has few, and reads each many times: those that it read last are kept.
class operand_layouts {
 public:
  std::shared_ptr<const operand_layout> of(const shared_operand& matrix);

 private:
  static constexpr unsigned capacity_bits = 8;
  using layouts = std::vector<std::shared_ptr<const operand_layout>>;

  layouts kept_ = layouts(std::size_t{1} << capacity_bits);  // by a hash of the first address
};

}  // namespace tc::engine
