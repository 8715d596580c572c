// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/binary_sums.hpp>
#include <tc/numerics/simd/fused_sums.hpp>
#include <tc/numerics/simd/integer_sums.hpp>
#include <tc/numerics/simd/transposition.hpp>

namespace tc::numerics::simd {
namespace {

/// That for several products of so many rows, in vectors of at most that many bytes: those that they fill.
template <std::size_t Bytes, unsigned Columns, unsigned Together>
fused_kernel choose_fused_together_of([[maybe_unused]] const fused_plan& plan, [[maybe_unused]] unsigned rows) {
  if constexpr (vectors<Bytes>::lanes >= Together * smallest_lanes)
    return Together * rows == vectors<Bytes>::lanes ? choose_fused_together<Bytes, Columns, Together>(plan)
                                                    : choose_fused_together_of<Bytes / 2, Columns, Together>(plan, rows);
  return nullptr;
}

/// The kernels for vectors of that many bytes, which work on that many columns of a sum together.
template <std::size_t Bytes, unsigned Columns>
constexpr kernel_set make_kernels() {
  return {choose_fused<Bytes, Columns>,
          choose_fused_together_of<Bytes, Columns, 2>,
          choose_fused_together_of<Bytes, Columns, 4>,
          integer_sums<Bytes, Columns>::run,
          binary_sums<Bytes>::run,
          transpositions<Bytes>::to_rows,
          transpositions<Bytes>::from_rows};
}

}  // namespace
}  // namespace tc::numerics::simd
