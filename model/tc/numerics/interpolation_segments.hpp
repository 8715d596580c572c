// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

namespace tc::numerics {

/// One segment of a function that is interpolated: integers whose weights are the function_interpolator's.
struct interpolation_segment {
  std::int32_t constant, linear, quadratic;
};

// The segments of the functions of the special function unit, in the order of their arguments, recovered from what an H100 and an H200
// return.
extern const std::array<interpolation_segment, 128> reciprocal_segments;       ///< from 1 to 2, all of one length; so are the next ones
extern const std::array<interpolation_segment, 128> reciprocal_root_segments;  ///< 64 from 1 to 2, 64 from 2 to 4
extern const std::array<interpolation_segment, 128> root_segments;             ///< 64 from 1 to 2, 64 from 2 to 4
extern const std::array<interpolation_segment, 64> power_of_two_segments;      ///< from 0 to 1
extern const std::array<interpolation_segment, 64> logarithm_segments;         ///< of base 2, from 1 to 2
extern const std::array<interpolation_segment, 64> sine_segments;              ///< a quarter of a turn
/// From 2^-8 to 8: 1, 1, 1, 2, 2, 4, 4, 4, 8, 16 and 8 of them between powers of two.
extern const std::array<interpolation_segment, 51> hyperbolic_tangent_segments;

}  // namespace tc::numerics
