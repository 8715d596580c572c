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
  /// How many core matrices, from the first one on, hold the first `rows` rows of A, or columns of B. All of them if the operand has no
  /// more rows, as half of a pair's.
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

/// A or B of a matrix instruction while it is read from shared memory, core matrix by core matrix.
class operand_matrix {
 public:
  static constexpr unsigned core_bytes = isa::shared_matrix::unit_bytes * isa::shared_matrix::core_lines;

  /// Nothing of a matrix is there. Without `data` there is no place for its bytes.
  void begin(std::shared_ptr<const operand_layout> layout, bool data);
  void begin(const shared_operand& matrix, bool data) { begin(std::make_shared<const operand_layout>(matrix), data); }
  /// There is no matrix in shared memory.
  void clear() { layout_.reset(); }

  unsigned cores() const { return layout_ != nullptr ? layout_->cores() : 0; }
  const operand_layout& layout() const { return *layout_; }
  const isa::shared_matrix& place() const { return layout_->matrix().place; }
  /// Bytes of a row of A, or a column of B: 32, of B behind a sparse A 64.
  unsigned row_bytes() const { return layout_->matrix().row_bytes(); }
  /// Where the 16 bytes of a line of a core matrix belong; those of following lines follow each other.
  unsigned char* line(unsigned core, unsigned line) {
    return &cores_[std::size_t{core} * core_bytes + std::size_t{line} * isa::shared_matrix::unit_bytes];
  }

  /// Row r, or column, at byte r * row_bytes(), in ascending k: all of it has been read, or at least the first so many core matrices.
  const std::uint32_t* rows() { return rows(cores()); }
  const std::uint32_t* rows(unsigned cores_there);

 private:
  void unpack(unsigned core);

  std::shared_ptr<const operand_layout> layout_;
  unsigned unpacked_ = 0;  ///< core matrices that are in rows_
  std::vector<unsigned char> cores_;
  std::vector<std::uint32_t> rows_;
};

/// The matrices that a unit works on, in memory that is used again when nobody holds a matrix any longer.
class operand_matrices {
 public:
  /// Without `data` they have no place for bytes.
  explicit operand_matrices(bool data) : data_(data) {}

  /// One of which nothing is there.
  std::shared_ptr<operand_matrix> begin(const shared_operand& matrix);

 private:
  const bool data_;
  operand_layouts layouts_;
  std::vector<std::shared_ptr<operand_matrix>> matrices_;
};

}  // namespace tc::engine
