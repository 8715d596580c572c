// SPDX-License-Identifier: Apache-2.0
#include "fragment_layout.hpp"

#include <algorithm>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/warp_lanes.hpp>

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

namespace {

/// Of the four 8x8x4 of HMMA.884 and of mma.sync.m8n8k4: the quad pair's number is that of the matrix.
linear_layout quad_pairs(const mma_operation& mma, fragment which) {
  const bool is_accumulator = which == fragment::c || which == fragment::d;
  const bool by_columns = which == fragment::a ? mma.a_column : mma.b_column;
  linear_layout whole = quad_pair_layout(which, by_columns, bits(type_of(mma, which)), {matrix_step(1), matrix_step(2), {}});
  if (!is_accumulator) return whole;
  const unsigned parts = which == fragment::c ? mma.c_parts() : mma.steps;
  return whole.part(mma.step * parts / mma.steps, parts);
}

/// Steps to the further tiles of `lines` rows, or columns.
std::vector<matrix_position> steps_to_tiles(bool of_rows, unsigned lines) {
  return counting_steps(of_rows, lines / matrix_tile_lines, matrix_tile_lines);
}

/// Of A (m x k) and B (k x n), from Turing on: a register holds neighbours along k; tiles follow each other along m first, then along k.
/// B of 16 columns is that of the first eight, and behind it that of the others.
linear_layout multiplicand(const mma_operation& mma, fragment which) {
  const bool is_a = which == fragment::a;
  const unsigned run = std::max(1U, register_bits / bits(type_of(mma, which)));
  std::vector<matrix_position> tiles;
  if (is_a) tiles = steps_to_tiles(true, mma.m);
  for (unsigned k = 4 * run; k < mma.k; k *= 2) tiles.push_back(is_a ? column_step(k) : row_step(k));
  if (!is_a) tiles = joined(tiles, steps_to_tiles(false, mma.n));
  return tiled_layout(is_a ? tile_lines::rows : tile_lines::columns, run, tiles);
}

/// Of C and D (m x n), from Turing on. As for B, 16 columns are those of two operations of eight.
linear_layout accumulator(const mma_operation& mma) {
  return tiled_layout(tile_lines::rows, 2, joined(steps_to_tiles(true, mma.m), steps_to_tiles(false, mma.n)));
}

linear_layout map_of(const mma_operation& mma, fragment which) {
  if (mma.instances > 1) return quad_pairs(mma, which);
  return which == fragment::a || which == fragment::b ? multiplicand(mma, which) : accumulator(mma);
}

}  // namespace

fragment_layout::fragment_layout(const mma_operation& mma, fragment which) : fragment_layout(mma, which, map_of(mma, which)) {}

fragment_layout::fragment_layout(const mma_operation& mma, fragment which, const linear_layout& map)
    : map_(map),
      rows_(which == fragment::b ? mma.k : mma.m),
      columns_(which == fragment::a ? mma.k : mma.n),
      matrices_(mma.instances),
      elements_per_register_(std::max(1U, register_bits / bits(type_of(mma, which)))),
      registers_per_element_(std::max(1U, bits(type_of(mma, which)) / register_bits)) {}

std::vector<fragment_element> fragment_layout::holders(unsigned row, unsigned column, unsigned matrix) const {
  std::vector<fragment_element> result;
  for (const linear_layout::place& at : map_.holders({row, column, matrix})) {
    result.push_back({at.lane, at.element / elements_per_register_ * registers_per_element_, at.element % elements_per_register_});
  }
  return result;
}

std::optional<fragment_element> fragment_layout::holder(unsigned row, unsigned column, unsigned matrix) const {
  const auto all = holders(row, column, matrix);
  if (all.empty()) return std::nullopt;
  return all.front();
}

}  // namespace tc::isa
