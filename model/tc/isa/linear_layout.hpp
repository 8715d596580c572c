// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/isa/warp_lanes.hpp>

namespace tc::isa {

/// Place of an element: row and column in its matrix, and which matrix if a warp holds several of one shape. Also the distance between two
/// places.
struct matrix_position {
  unsigned row = 0, column = 0;
  unsigned matrix = 0;  ///< m8n8k4 of half precision: the quad pair, 0 to 3; elsewhere 0
};

constexpr bool operator==(matrix_position x, matrix_position y) { return x.row == y.row && x.column == y.column && x.matrix == y.matrix; }

constexpr matrix_position operator+(matrix_position x, matrix_position y) {
  return {x.row + y.row, x.column + y.column, x.matrix + y.matrix};
}

/// Where an index bit leads when it is set: so many rows, columns or matrices on, or to a further copy of the same element.
constexpr matrix_position row_step(unsigned rows) { return {rows, 0, 0}; }
constexpr matrix_position column_step(unsigned columns) { return {0, columns, 0}; }
constexpr matrix_position matrix_step(unsigned matrices) { return {0, 0, matrices}; }
inline constexpr matrix_position copy_step{};

/// Which lane of a warp holds which elements of a matrix, as a linear map over the bits of the lane number and of the element number within
/// the lane: each bit that is set adds its step ("Linear Layouts", arXiv 2505.23819). Every fragment layout of the register-file matrix
/// instructions has this form. A bit without a step makes a copy: the element is held twice.
class linear_layout {
 public:
  static constexpr unsigned lane_bits = warp_lane_bits, lanes = lanes_per_warp;

  /// An element of a lane.
  struct place {
    unsigned lane = 0, element = 0;
  };

  /// The steps of the bits, bit 0 first: five for the lane, any number for the element. Each step is a power of two along one axis, or
  /// copy_step; no two are the same but copies. Throws std::invalid_argument otherwise, as no element has a unique place then.
  linear_layout(const std::vector<matrix_position>& lane_steps, const std::vector<matrix_position>& element_steps);

  /// Elements of a lane, copies included.
  unsigned elements() const { return 1U << (steps_.size() - lane_bits); }

  matrix_position position(unsigned lane, unsigned element) const;

  /// Every place where an element is, by lane, then element. Empty if the layout does not reach the position.
  std::vector<place> holders(matrix_position at) const;

  /// The layout of one of `parts` runs of a lane's elements, all of one length. `parts` is a power of two.
  linear_layout part(unsigned index, unsigned parts) const;

 private:
  std::vector<matrix_position> steps_;  ///< bits of the element, then of the lane
  matrix_position origin_;              ///< where element 0 of lane 0 is
};

}  // namespace tc::isa
