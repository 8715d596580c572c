// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

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

}  // namespace tc::isa
