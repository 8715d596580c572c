// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/warp/lane_vector.hpp>

namespace tc::lanes {

/// An 8x8 matrix of 16-bit elements, by row and column, as LDSM, STSM and MOVM move it. In a register lane l holds the elements 2(l mod 4)
/// and 2(l mod 4) + 1 of row l / 4, the first in the low half; transposed, of column l / 4 (PTX ISA, ldmatrix and movmatrix).
using matrix_8x8 = std::array<std::array<std::uint16_t, 8>, 8>;

/// The register that holds a matrix.
warp::lane_vector to_lanes(const matrix_8x8& matrix, bool transposed);

/// The matrix that a register holds.
matrix_8x8 from_lanes(const warp::lane_vector& lanes, bool transposed);

}  // namespace tc::lanes
