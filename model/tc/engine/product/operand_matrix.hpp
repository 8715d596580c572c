// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <tc/engine/product/operand_layout.hpp>

namespace tc::engine {

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
