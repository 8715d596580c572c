// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/matrix_descriptor.hpp>

namespace tc::isa {

/// Place of an element in a matrix operand: a row of A or a column of B, and k.
struct matrix_place {
  unsigned row = 0, k = 0;
};

constexpr bool operator==(const matrix_place& x, const matrix_place& y) { return x.row == y.row && x.k == y.k; }

/// Bytes from `begin` up to, not including, `end`.
struct byte_range {
  std::uint32_t begin = 0, end = 0;
};

/// A matrix operand in shared memory: which element lies where under a descriptor, and in which order a tensor core reads it (PTX ISA,
/// "Strides" and "Canonical Layouts"). The matrix is made of units of 16 contiguous bytes, whose elements follow each other in K (K-major)
/// or in the rows (MN-major). Eight units, of eight rows or, MN-major, of eight k, make a core matrix: 128 bytes, which in every canonical
/// layout lie in different banks, so that shared memory delivers them at once. Where units change places in pairs, of 32 bytes, a core
/// matrix is two units wide and four k high (CuTe, "Layout_MN_SW128_32B_Atom").
class shared_matrix {
 public:
  static constexpr unsigned unit_bytes = 16, core_lines = 8;

  /// A matrix of `rows` x `k` elements of 8, 16 or 32 bits. Throws std::invalid_argument if it is not made of whole core matrices, or if
  /// the swizzle is that of pairs of units and the matrix is K-major.
  shared_matrix(const matrix_descriptor& descriptor, matrix_major major, unsigned element_bits, unsigned rows, unsigned k);

  unsigned rows() const { return rows_; }
  unsigned k() const { return k_; }
  unsigned element_bytes() const { return element_bytes_; }

  /// Byte address of an element in the CTA's window.
  std::uint32_t address(matrix_place place) const;
  /// The element that a byte address belongs to, nothing if none; the first one read if a layout has several at one place.
  std::optional<matrix_place> find(std::uint32_t address) const;

  /// Core matrices, in the order in which they are read: K-major by eight rows, and within them by units of K; MN-major by units of rows,
  /// or pairs of them, and within them by k.
  unsigned core_matrices() const { return groups_ * units_ / core_units_; }
  /// Byte address of a unit, 0 to 7, of a core matrix, line by line; a multiple of 16.
  std::uint32_t unit_address(unsigned core, unsigned line) const;
  /// The first element of that unit; unit_bytes / element_bytes() follow each other in K, or in the rows.
  matrix_place unit_place(unsigned core, unsigned line) const;

  /// From the first byte of the matrix to behind its last.
  byte_range footprint() const;

  /// Whether all elements lie where the other has them.
  bool operator==(const shared_matrix& other) const;

 private:
  /// A unit: `line` in the group `group`, and its number `unit` in the contiguous direction.
  struct unit_numbers {
    unsigned group, line, unit;
  };

  unit_numbers numbers(unsigned core, unsigned line) const;
  std::uint32_t address_of(const unit_numbers& unit) const;

  std::uint32_t start_;
  swizzle_mode swizzle_;
  unsigned base_offset_;
  matrix_major major_;
  unsigned element_bytes_, rows_, k_;

  unsigned core_units_;                     ///< of a line that are in one core matrix: 1, or 2 if they change places in pairs
  unsigned group_lines_;                    ///< lines of a core matrix
  unsigned groups_, units_;                 ///< groups of so many lines, and units in the contiguous direction
  std::uint32_t line_bytes_, group_bytes_;  ///< from a line, and from a group, to the next
  unsigned units_of_row_;                   ///< that follow each other in memory before they are swizzled
  std::uint32_t row_bytes_;                 ///< from a row of so many units to the next
};

/// A and B of a warpgroup's operation as they lie in shared memory: 64 and N rows of 32 bytes of K. A must not be in registers.
shared_matrix shared_a(const wgmma_operation& operation);
shared_matrix shared_b(const wgmma_operation& operation);

}  // namespace tc::isa
