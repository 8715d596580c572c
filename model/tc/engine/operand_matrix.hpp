#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/isa/shared_matrix.hpp>

namespace tc::engine {

/// A or B of a warpgroup matrix instruction while it is read from shared memory, core matrix by core matrix.
class operand_matrix {
 public:
  static constexpr unsigned row_bytes = 32, core_bytes = isa::shared_matrix::unit_bytes * isa::shared_matrix::core_lines;

  /// Nothing of a matrix is there. Without `data` there is no place for its bytes.
  void begin(const isa::shared_matrix& place, isa::matrix_major major, bool data);
  /// There is no matrix in shared memory.
  void clear() { place_.reset(); }

  unsigned cores() const { return place_ ? place_->core_matrices() : 0; }
  const isa::shared_matrix& place() const { return *place_; }
  /// Where the 16 bytes of a line of a core matrix belong; those of following lines follow each other.
  unsigned char* line(unsigned core, unsigned line);

  /// All of it has been read: row r, or column, at [r * row_bytes], in ascending k.
  const std::uint32_t* rows();

 private:
  std::optional<isa::shared_matrix> place_;
  isa::matrix_major major_ = isa::matrix_major::k;
  std::vector<unsigned char> cores_;
  std::vector<std::uint32_t> rows_;
};

}  // namespace tc::engine
