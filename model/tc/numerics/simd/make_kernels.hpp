#pragma once

#include <tc/numerics/simd/binary_sums.hpp>
#include <tc/numerics/simd/fused_sums.hpp>
#include <tc/numerics/simd/integer_sums.hpp>

namespace tc::numerics::simd {
namespace {

/// The kernels for vectors of that many bytes, which work on that many columns of a sum together.
template <std::size_t Bytes, unsigned Columns>
constexpr kernel_set make_kernels() {
  return {choose_fused<Bytes, Columns>, integer_sums<Bytes, Columns>::run, binary_sums<Bytes>::run};
}

}  // namespace
}  // namespace tc::numerics::simd
