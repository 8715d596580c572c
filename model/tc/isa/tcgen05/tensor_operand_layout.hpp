// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include <tc/isa/shared_matrix.hpp>
#include <tc/isa/tcgen05/accumulator_layout.hpp>

namespace tc::isa {

/// Bits that an element of A takes in tensor memory: 32, 16, 8, of mxf4 kinds 4. Elements of 4 and 6 bits of other kinds
/// take a byte, in which bit_in_byte() is their place.
unsigned operand_bits(mma_kind kind);

/// Place of an element of A in tensor memory.
struct operand_cell {
  tensor_cell cell{};
  unsigned bit = 0;  ///< the lowest one of the element's 4, 8, 16 or 32
};

/// Which cell holds which element of A, if A is in tensor memory: K-major, a row in a lane, the elements of a row along the columns, from
/// the lowest bits up and without gaps, so that an instruction takes eight columns (PTX ISA; CUTLASS, mma_traits_sm100.hpp). Of a sparse
/// matrix they are the elements that are stored, K / 2 of them.
class tensor_operand_layout {
 public:
  static constexpr unsigned columns = 8;

  /// A of M rows at `address`, whose lane must be that of D. Throws std::invalid_argument if the form has no such M, the layout no such
  /// lane, columns are beyond the end of tensor memory, or where A lies is not known: M = 32 and 64 of .ws.
  tensor_operand_layout(const mma_form& form, unsigned m, tensor_address address);

  unsigned rows() const { return m_; }
  unsigned elements() const { return columns * 32 / bits_; }  ///< of a row
  unsigned element_bits() const { return bits_; }
  column_range tensor_range() const { return {address_.column, columns}; }

  /// Where an element is: M = 128 of two dense CTAs has each row twice, 64 lanes apart, other forms once.
  std::vector<operand_cell> cells(matrix_place place) const;

  /// The element that has the bits from `bit`, a multiple of element_bits(), of a cell; nothing if A does not have the cell.
  std::optional<matrix_place> find(const tensor_cell& cell, unsigned bit) const;

 private:
  data_path_layout layout_;
  unsigned m_, bits_;
  tensor_address address_;
};

}  // namespace tc::isa
