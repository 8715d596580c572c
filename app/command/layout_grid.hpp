// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/register_mma.hpp>

namespace tcsim {

/// What a picture of an operand shows as one: an element, or the elements that share a register if they are 8 bits or smaller.
struct layout_cell {
  std::vector<unsigned> lanes;      ///< who holds it, ascending; nobody if another step of an HMMA.884 computes it
  std::vector<unsigned> registers;  ///< where, in each of these lanes
  std::optional<unsigned> element;  ///< in the register; nothing if the cell is all of the register

  std::string lane_text() const;      ///< "17,25"
  std::string register_text() const;  ///< "3.1"
};

/// A matrix of an operand as rows and columns of cells.
class layout_grid {
 public:
  /// `matrix` is the quad pair of an operation with four, else 0.
  layout_grid(const tc::isa::fragment_layout& layout, tc::isa::fragment which, unsigned matrix);

  unsigned rows() const { return rows_; }
  unsigned columns() const { return columns_; }
  const layout_cell& at(unsigned row, unsigned column) const { return cells_[row * columns_ + column]; }
  std::string row_text(unsigned row) const { return range_text(row, cell_rows_); }              ///< "7", "0-31"
  std::string column_text(unsigned column) const { return range_text(column, cell_columns_); }  ///< "7", "0-31"

 private:
  static std::string range_text(unsigned cell, unsigned size);

  unsigned cell_rows_ = 1, cell_columns_ = 1;  ///< elements of a cell
  unsigned rows_, columns_;
  std::vector<layout_cell> cells_;
};

/// An operand, or two that look alike, of an operation.
struct pictured_operand {
  tc::isa::fragment which{};
  std::string name;  ///< "A", "C and D"
};

/// "a" to "d".
std::string_view name(tc::isa::fragment which);

/// What a picture of an operation shows: C and D once if they have one layout; `only` that operand if given.
std::vector<pictured_operand> pictured_operands(const tc::isa::register_mma& operation, std::optional<tc::isa::fragment> only);

/// "16 x 8 of f32".
std::string size_text(const tc::isa::register_mma& operation, tc::isa::fragment which);

/// "4 registers a lane, 2 elements a register".
std::string packing_text(const tc::isa::register_mma& operation, tc::isa::fragment which);

/// "quad pair 1 (lanes 4-7 and 20-23)".
std::string quad_pair_text(unsigned matrix);

}  // namespace tcsim
