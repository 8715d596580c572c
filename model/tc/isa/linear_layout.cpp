// SPDX-License-Identifier: Apache-2.0
#include "linear_layout.hpp"

#include <algorithm>
#include <stdexcept>

namespace tc::isa {
namespace {

bool is_power_of_two(unsigned value) { return value != 0 && (value & (value - 1)) == 0; }

/// Along one axis and a power of two, so that a bit of the coordinate tells the index bit.
bool tells_its_bit(matrix_position step) {
  return (step.row != 0) + (step.column != 0) + (step.matrix != 0) == 1 && is_power_of_two(step.row + step.column + step.matrix);
}

/// Whether a place `distance` away from the origin is reached with the index bit of this step set.
bool takes_part(matrix_position step, matrix_position distance) {
  return (distance.row & step.row) != 0 || (distance.column & step.column) != 0 || (distance.matrix & step.matrix) != 0;
}

}  // namespace

linear_layout::linear_layout(const std::vector<matrix_position>& lane_steps, const std::vector<matrix_position>& element_steps)
    : steps_(element_steps) {
  if (lane_steps.size() != lane_bits) throw std::invalid_argument("a layout has a step for each of the five bits of the lane");
  steps_.insert(steps_.end(), lane_steps.begin(), lane_steps.end());
  for (auto step = steps_.begin(); step != steps_.end(); ++step) {
    if (*step == copy_step) continue;
    if (!tells_its_bit(*step)) throw std::invalid_argument("a step of a layout is a power of two along one axis");
    if (std::find(steps_.begin(), step, *step) != step) throw std::invalid_argument("two index bits of a layout have the same step");
  }
}

matrix_position linear_layout::position(unsigned lane, unsigned element) const {
  unsigned index = lane * elements() + element;
  matrix_position at = origin_;
  for (const matrix_position& step : steps_) {
    if ((index & 1) != 0) at = at + step;
    index >>= 1;
  }
  return at;
}

std::vector<linear_layout::place> linear_layout::holders(matrix_position at) const {
  // Coordinates below the origin wrap around; the check below turns them away.
  const matrix_position distance{at.row - origin_.row, at.column - origin_.column, at.matrix - origin_.matrix};
  unsigned index = 0, copies = 0;
  for (unsigned bit = 0; bit < steps_.size(); ++bit) {
    if (steps_[bit] == copy_step) copies |= 1U << bit;
    if (takes_part(steps_[bit], distance)) index |= 1U << bit;
  }
  std::vector<place> found;
  if (!(position(index / elements(), index % elements()) == at)) return found;
  unsigned chosen = 0;
  do {
    found.push_back({(index | chosen) / elements(), (index | chosen) % elements()});
    chosen = (chosen - copies) & copies;  // the next subset of the copying bits
  } while (chosen != 0);
  return found;
}

linear_layout linear_layout::part(unsigned index, unsigned parts) const {
  linear_layout result = *this;
  for (unsigned remaining = parts; remaining > 1; remaining /= 2) {
    const auto last = result.steps_.end() - lane_bits - 1;  // the highest bit of the element
    if ((index & (remaining / 2)) != 0) result.origin_ = result.origin_ + *last;
    result.steps_.erase(last);
  }
  return result;
}

}  // namespace tc::isa
