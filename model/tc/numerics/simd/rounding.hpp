// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/kernels.hpp>
#include <tc/numerics/simd/vectors.hpp>

namespace tc::numerics::simd {
namespace {

/// 2^(field - 127).
template <class Vector>
[[gnu::always_inline]] inline auto power_of_two(Vector field) {
  return bits_as<typename vectors<sizeof field>::f32>(bits_as<typename vectors<sizeof field>::u32>(field) << 23);
}

/// x * y without its fraction.
template <class Vector>
[[gnu::always_inline]] inline auto truncated(Vector x, Vector y) {
  return __builtin_convertvector(x * y, typename vectors<sizeof x>::s32);
}

/// A sum's sign and magnitude; `magnitude` has the bits of a binary32 number, truncated toward zero.
template <std::size_t Bytes>
struct sign_and_magnitude {
  typename vectors<Bytes>::s32 negative, magnitude;
  typename vectors<Bytes>::s32 inexact;  ///< whether the truncation changed it
};

/// A sum of 32-bit integers, itself below 2^31 - 2^6, or, if wide, below 2^40: the high part in units of 2^16 and the low part.
template <std::size_t Bytes, bool Wide>
class split_sum {
  using f32 = typename vectors<Bytes>::f32;
  using s32 = typename vectors<Bytes>::s32;
  using u32 = typename vectors<Bytes>::u32;

 public:
  [[gnu::always_inline]] void add(s32 term) {
    if constexpr (Wide) {
      high_ += bits_as<u32>(term >> 16);
      low_ += bits_as<u32>(term & 0xffff);
    } else {
      low_ += bits_as<u32>(term);
    }
  }

  /// Conversions and additions round to nearest; what was rounded up is one unit of binary32 too large.
  [[gnu::always_inline]] sign_and_magnitude<Bytes> magnitude() const {
    if constexpr (!Wide) {
      const s32 negative = bits_as<s32>(low_) >> 31, exact = bits_as<s32>((low_ ^ bits_as<u32>(negative)) - bits_as<u32>(negative));
      const f32 nearest = __builtin_convertvector(exact, f32);
      const s32 back = __builtin_convertvector(nearest, s32);
      return {negative, bits_as<s32>(nearest) + (back > exact), back != exact};
    } else {
      const s32 carried = bits_as<s32>(high_ + (low_ >> 16)), negative = carried >> 31, remaining = bits_as<s32>(low_ & 0xffff);
      const f32 high = __builtin_convertvector(carried ^ negative, f32) * 65536.0F;
      const f32 low = __builtin_convertvector((remaining ^ (negative & 0xffff)) - negative, f32);
      const f32 nearest = high + low, back = nearest - high;  // exact: high is zero or at least as large as low
      return {negative, bits_as<s32>(nearest) + (back > low), back != low};
    }
  }

 private:
  u32 high_{}, low_{};  // unsigned: sums with infinity or NaN among their terms are anything, and are not used
};

/// Sums of `unit`s, exponents like those of products, rounded to the result's format as round_to_format() does.
template <std::size_t Bytes, bool Wide>
[[gnu::always_inline]] inline typename vectors<Bytes>::u32 rounded(const fused_plan& plan, const split_sum<Bytes, Wide>& total,
                                                                   typename vectors<Bytes>::s32 unit) {
  using f32 = typename vectors<Bytes>::f32;
  using s32 = typename vectors<Bytes>::s32;
  using u32 = typename vectors<Bytes>::u32;
  const auto [negative, magnitude, inexact] = total.magnitude();
  // Above the exponent of the smallest normal number.
  const s32 binade = max((magnitude >> 23) + unit - (127 + plan.minimum_exponent), s32{});
  // The limits are for sums that round to zero, and for the exponent of a sum that is zero.
  const int last_bit = 127 + static_cast<int>(plan.kept_fraction_bits) - plan.minimum_exponent;
  const f32 scale = power_of_two(min(max(unit - binade + last_bit, splat<s32>(64)), splat<s32>(200)));
  s32 significand;
  if (plan.to_nearest_even) {
    // The truncation leaves an odd last bit where it left something out, so that this second rounding, by the addition of 2^23, finds no
    // half unit where there is none.
    const f32 sticky = bits_as<f32>(magnitude | (inexact & 1)) * scale;
    significand = bits_as<s32>(sticky + 8388608.0F) - 0x4b000000;
  } else {
    significand = truncated(bits_as<f32>(magnitude), scale);
  }
  // The hidden bit of a normal number adds one to the exponent field, and so does a carry out of the rounding.
  const u32 finite = (bits_as<u32>(binade) << static_cast<int>(plan.fraction_bits)) +
                     (bits_as<u32>(significand) << static_cast<int>(plan.fraction_bits - plan.kept_fraction_bits));
  const s32 pattern = binade < plan.exponents ? bits_as<s32>(finite) : splat<s32>(plan.infinity);
  const s32 result = pattern | (negative & static_cast<std::int32_t>(plan.sign_bit));
  return bits_as<u32>(((magnitude != 0) & (pattern >= plan.smallest_result)) ? result : s32{});
}

}  // namespace
}  // namespace tc::numerics::simd
