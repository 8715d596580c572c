// SPDX-License-Identifier: Apache-2.0
#include "fragment_tiles.hpp"

namespace tc::isa {
namespace {

/// Steps that count `count` elements, a power of two, along the columns of a row or the rows of a column: 1, 2, 4 and so on, times `scale`.
std::vector<matrix_position> counting_steps(bool along_rows, unsigned count, unsigned scale = 1) {
  std::vector<matrix_position> steps;
  for (unsigned size = 1; size < count; size *= 2) steps.push_back(along_rows ? row_step(size * scale) : column_step(size * scale));
  return steps;
}

std::vector<matrix_position> joined(std::vector<matrix_position> first, const std::vector<matrix_position>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

linear_layout tiled_layout(tile_lines lines, unsigned run, const std::vector<matrix_position>& tiles) {
  const bool across_rows = lines == tile_lines::rows, along_rows = !across_rows;
  return {joined(counting_steps(along_rows, 4, run), counting_steps(across_rows, 8)), joined(counting_steps(along_rows, run), tiles)};
}

linear_layout quad_pair_layout(fragment which, bool by_columns, unsigned element_bits, const quad_pair_steps& steps) {
  const std::vector<matrix_position> two_rows{row_step(1), row_step(2)}, two_columns{column_step(1), column_step(2)};
  const auto layout = [&](const std::vector<matrix_position>& lane, const std::vector<matrix_position>& element) {
    // Lanes 16 to 31 hold the upper four columns of B and the upper four rows of A, C and D.
    const matrix_position upper_half = which == fragment::b ? column_step(4) : row_step(4);
    return linear_layout(joined(lane, {steps.low, steps.high, upper_half}), joined(element, steps.further));
  };
  if (which == fragment::a || which == fragment::b) return by_columns ? layout(two_columns, two_rows) : layout(two_rows, two_columns);
  if (element_bits == 16) return layout(two_rows, {column_step(1), column_step(2), column_step(4)});
  return layout({row_step(1), column_step(2)}, {column_step(1), row_step(2), column_step(4)});
}

}  // namespace tc::isa
