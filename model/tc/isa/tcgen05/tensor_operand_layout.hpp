// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/shared_matrix.hpp>
#include <tc/isa/tcgen05/instruction_descriptor.hpp>
#include <tc/isa/tcgen05/mma_form.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>

namespace tc::isa {

/// How the rows and columns of D lie in tensor memory, by the letters of the PTX ISA ("Data path layout organization").
enum class data_path_layout : std::uint8_t {
  a,  ///< M = 256 of two CTAs: 128 rows in each
  b,  ///< M = 128 of two CTAs: 64 rows in each, the right half of the columns in the upper lanes
  c,  ///< M = 128 of two CTAs, sparse: 64 rows in each, in half of the lanes
  d,  ///< M = 128: a row in each lane
  e,  ///< M = 64 with .ws: the right half of the columns in the upper lanes
  f,  ///< M = 64: in half of the lanes
  g,  ///< M = 32 with .ws: a quarter of the columns in each chunk
};

/// The layout of a form. Throws std::invalid_argument if the form has no such M.
data_path_layout layout_of(const mma_form& form, unsigned m);

/// Whether a layout fills 16 of the 32 lanes of each chunk, from its lane 0 or 16 on. The others begin at lane 0.
constexpr bool fills_half_lanes(data_path_layout layout) { return layout == data_path_layout::c || layout == data_path_layout::f; }

/// Why D or A of a layout does not begin in a lane, empty if it may; `what` it is, for the text.
std::string first_lane_mistake(data_path_layout layout, unsigned lane, std::string_view what);

/// A cell of tensor memory, and whose.
struct tensor_cell {
  unsigned cta = 0;  ///< of the group
  tensor_address address{};
};

constexpr bool operator==(const tensor_cell& x, const tensor_cell& y) { return x.cta == y.cta && x.address == y.address; }

/// Where row `row` of A or D begins, in column 0: its first part if D has several, its first copy if A has. `first_lane` is 0 or 16.
tensor_cell row_place(data_path_layout layout, unsigned row, unsigned first_lane);

/// A row, and which of its parts or copies.
struct data_path_row {
  unsigned row = 0, part = 0;
};

/// Which of the M rows has a cell's lane, nothing if none has.
std::optional<data_path_row> find_row(data_path_layout layout, unsigned m, const tensor_cell& cell, unsigned first_lane);

/// Place of an element of D.
struct accumulator_place {
  unsigned row = 0, column = 0;
};

constexpr bool operator==(accumulator_place x, accumulator_place y) { return x.row == y.row && x.column == y.column; }

/// Which cell holds which element of D: each has a cell of its own, whose low 16 bits an f16 takes. The formulas are those of CUTLASS's
/// tensor memory fragments (mma_traits_sm100_frag.hpp); that layout C lies in each CTA as F does is inferred from their common description.
class accumulator_layout {
 public:
  /// D of M x N at `address`, whose lane is 0, or 16 in layouts C and F. Throws std::invalid_argument if the form has no such M or N, the
  /// layout no such lane, or columns are beyond the end of tensor memory.
  accumulator_layout(const mma_form& form, unsigned m, unsigned n, tensor_address address);

  data_path_layout layout() const { return layout_; }
  unsigned rows() const { return m_; }
  unsigned columns() const { return n_; }
  /// Columns of tensor memory that D takes in each CTA.
  column_range tensor_range() const { return {address_.column, n_ / parts_}; }

  tensor_cell cell(accumulator_place place) const;
  /// The element in a cell, nothing if D does not have the cell.
  std::optional<accumulator_place> find(const tensor_cell& cell) const;

 private:
  data_path_layout layout_;
  unsigned m_, n_;
  tensor_address address_;
  unsigned parts_;  ///< that the columns of D are cut into, one below the other in the lanes: 1, 2 or 4
};

/// A byte of a cell of tensor memory.
struct tensor_byte {
  tensor_address address{};
  unsigned byte = 0;  ///< 0 is the lowest one
};

constexpr bool operator==(const tensor_byte& x, const tensor_byte& y) { return x.address == y.address && x.byte == y.byte; }

/// The address of scales, whose two top bits may hold their ID, as CUTLASS passes it. Throws std::invalid_argument as
/// decode_tensor_address() does.
tensor_address decode_scale_address(std::uint32_t bits);

/// The scale of an index, a row of A or a column of B, for a block of K.
struct scale_place {
  unsigned index = 0, block = 0;
};

constexpr bool operator==(scale_place x, scale_place y) { return x.index == y.index && x.block == y.block; }

/// Where the scales of a block-scaled instruction lie in the tensor memory of each CTA: 32 indices below each other, then the next column,
/// the blocks of an index in the bytes of its cell from the descriptor's ID on. Every chunk has a copy; with layout B, whose upper lanes
/// compute the right half of D, the lower chunks have the left columns of B and the upper ones the right columns (CUTLASS,
/// mma_traits_sm100.hpp; PTX ISA, "Scale factor layout").
class scale_factor_layout {
 public:
  /// The scales of A, of the rows of one CTA, or of B, of all N columns, at `address`. Throws std::invalid_argument if the form has no
  /// scales, the lane is not 0, or columns are beyond the end of tensor memory.
  static scale_factor_layout of_a(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address);
  static scale_factor_layout of_b(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address);

  unsigned indices() const { return indices_; }
  unsigned blocks() const { return blocks_; }  ///< of an index, along K
  unsigned copies() const;                     ///< of a scale: 4, or 2
  column_range tensor_range() const;

  /// The byte of a scale, in copy `copy`, lowest lane first.
  tensor_byte at(scale_place place, unsigned copy) const;
  /// The scale in a byte, nothing if there is none.
  std::optional<scale_place> find(const tensor_byte& byte) const;

 private:
  scale_factor_layout(const mma_form& form, unsigned indices, unsigned parts, unsigned id, tensor_address address);

  unsigned indices_;
  unsigned parts_;  ///< that the indices are cut into, one below the other in the chunks: 1 or 2
  unsigned blocks_, id_;
  tensor_address address_;
};

/// The code of a group of elements of a sparse matrix A.
struct sparsity_code_place {
  tensor_address address{};
  unsigned bit = 0;  ///< the lowest of the code's four
};

constexpr bool operator==(const sparsity_code_place& x, const sparsity_code_place& y) { return x.address == y.address && x.bit == y.bit; }

/// Elements of K that a code of four bits tells the zeros of: 2 of tf32, 4 of 16 and 8 bits, 8 of mxf4 kinds, whose elements go in pairs.
/// Half of them are stored (PTX ISA, "Sparse matrices").
unsigned sparsity_group(mma_kind kind);

/// The places in their group of the elements that are stored, in the order in which they are, by the group's code. Throws
/// std::invalid_argument for a code that the kind does not have.
std::vector<unsigned> stored_elements(mma_kind kind, unsigned code);

/// Where the metadata of the 128 rows of a sparse matrix A that a CTA has lies (CUTLASS, mma_traits_sm100_frag.hpp; that each of two CTAs
/// has its own as one alone would is inferred). Kinds of 16 and 32 bits have
/// one column, in whose lanes rows m and m + 8 share a cell, each with half of its K; the others have two, with a row in each lane.
class sparsity_layout {
 public:
  /// Metadata at `address`. Throws std::invalid_argument for a matrix that is not sparse, columns beyond the end of tensor memory, and what
  /// no readable source places: other numbers of rows, a sparsity selector but 0.
  sparsity_layout(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address);

  unsigned groups() const { return groups_; }  ///< of a row
  column_range tensor_range() const { return {address_.column, columns_}; }

  sparsity_code_place code(unsigned row, unsigned group) const;

 private:
  bool shares_cells() const { return columns_ == 1; }

  tensor_address address_;
  unsigned groups_, columns_;
};

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
