// SPDX-License-Identifier: Apache-2.0
#include "matrix_8x8.hpp"

namespace tc::lanes {

warp::lane_vector to_lanes(const matrix_8x8& matrix, bool transposed) {
  warp::lane_vector lanes;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const unsigned major = lane / 4, minor = lane % 4 * 2;
    const std::uint32_t low = transposed ? matrix[minor][major] : matrix[major][minor];
    const std::uint32_t high = transposed ? matrix[minor + 1][major] : matrix[major][minor + 1];
    lanes[lane] = high << 16U | low;
  }
  return lanes;
}

matrix_8x8 from_lanes(const warp::lane_vector& lanes, bool transposed) {
  matrix_8x8 matrix{};
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const unsigned major = lane / 4, minor = lane % 4 * 2;
    (transposed ? matrix[minor][major] : matrix[major][minor]) = static_cast<std::uint16_t>(lanes[lane]);
    (transposed ? matrix[minor + 1][major] : matrix[major][minor + 1]) = static_cast<std::uint16_t>(lanes[lane] >> 16U);
  }
  return matrix;
}

}  // namespace tc::lanes
