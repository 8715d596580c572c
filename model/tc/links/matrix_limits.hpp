// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/warp/lane_vector.hpp>

namespace tc::links {

/// Registers of a lane that hold A, B, and C or D, of any operation the tensor cores compute: those of m16n8k16 in f64.
inline constexpr unsigned max_a_registers = 16, max_b_registers = 8, max_accumulator_registers = 8;

/// Rows of A, and columns of B, of any operation.
inline constexpr unsigned max_rows = 16, matrix_columns = 8;

/// Words of the operands and the result of any operation.
using a_words = std::array<std::uint32_t, max_a_registers * warp::lanes_per_warp>;
using b_words = std::array<std::uint32_t, max_b_registers * warp::lanes_per_warp>;
using accumulator_words = std::array<std::uint32_t, max_accumulator_registers * warp::lanes_per_warp>;

}  // namespace tc::links
