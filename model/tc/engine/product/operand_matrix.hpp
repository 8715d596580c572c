#pragma once

#include <cstdint>
#include <optional>
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
};

/// A or B of a matrix instruction while it is read from shared memory, core matrix by core matrix.
class operand_matrix {
 public:
  static constexpr unsigned core_bytes = isa::shared_matrix::unit_bytes * isa::shared_matrix::core_lines;

  /// Nothing of a matrix is there. Without `data` there is no place for its bytes.
  void begin(const shared_operand& matrix, bool data);
  /// There is no matrix in shared memory.
  void clear() { matrix_.reset(); }

  unsigned cores() const { return matrix_ ? matrix_->place.core_matrices() : 0; }
  const isa::shared_matrix& place() const { return matrix_->place; }
  /// Bytes of a row of A, or a column of B: 32, of B behind a sparse A 64.
  unsigned row_bytes() const { return matrix_->row_bytes(); }
  /// Where the 16 bytes of a line of a core matrix belong; those of following lines follow each other.
  unsigned char* line(unsigned core, unsigned line);

  /// All of it has been read: row r, or column, at byte r * row_bytes(), in ascending k.
  const std::uint32_t* rows();

 private:
  std::optional<shared_operand> matrix_;
  std::vector<unsigned char> cores_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace tc::engine
