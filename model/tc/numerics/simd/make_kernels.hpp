#pragma once

#include <tc/numerics/simd/binary_sums.hpp>
#include <tc/numerics/simd/fused_sums.hpp>
#include <tc/numerics/simd/integer_sums.hpp>
#include <tc/numerics/simd/transposition.hpp>

namespace tc::numerics::simd {
namespace {

/// That for two products of so many rows, in vectors of at most that many bytes: those that they fill.
template <std::size_t Bytes, unsigned Columns>
fused_kernel choose_fused_pair_of([[maybe_unused]] const fused_plan& plan, [[maybe_unused]] unsigned rows) {
  if constexpr (vectors<Bytes>::lanes > smallest_lanes)
    return 2 * rows == vectors<Bytes>::lanes ? choose_fused_pair<Bytes, Columns>(plan)
                                             : choose_fused_pair_of<Bytes / 2, Columns>(plan, rows);
  return nullptr;
}

/// The kernels for vectors of that many bytes, which work on that many columns of a sum together.
template <std::size_t Bytes, unsigned Columns>
constexpr kernel_set make_kernels() {
  return {choose_fused<Bytes, Columns>, choose_fused_pair_of<Bytes, Columns>, integer_sums<Bytes, Columns>::run,
          binary_sums<Bytes>::run,      transpositions<Bytes>::to_rows,       transpositions<Bytes>::from_rows};
}

}  // namespace
}  // namespace tc::numerics::simd
