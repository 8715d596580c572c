// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/kernels.hpp>
#include <tc/numerics/simd/vectors.hpp>

namespace tc::numerics::simd {
namespace {

/// Floating-point elements taken apart: an exponent for the alignment, and a factor for the product.
template <std::size_t Bytes>
struct element_decoder {
  using f32 = typename vectors<Bytes>::f32;
  using s32 = typename vectors<Bytes>::s32;
  using u32 = typename vectors<Bytes>::u32;

  static constexpr std::uint32_t sign = 0x80000000, exponent_mask = 0x7f800000, fraction_mask = 0x007fffff, hidden_bit = 0x00800000;
  static constexpr std::uint32_t one = 0x3f800000;  ///< the number, in binary32
  static constexpr std::uint32_t narrow_shift = (127 - narrow_centre) * hidden_bit;

  /// Exponent fields of elements whose signs stand in the top bits of the lanes; those of subnormals are 1.
  template <class Vector>
  [[gnu::always_inline]] static Vector exponents(Vector elements, const element_fields& fields) {
    const Vector magnitude = elements & splat<Vector>(fields.magnitude_mask);
    const Vector numbers = max(magnitude >> splat<Vector>(fields.exponent_position), splat<Vector>(1));
    const Vector with_zeros = magnitude < splat<Vector>(fields.smallest) ? splat<Vector>(fields.zero_exponent) : numbers;
    return magnitude >= splat<Vector>(fields.first_special) ? splat<Vector>(special_operand_exponent) : with_zeros;
  }

  /// Signed significands, below 2. As exponents() gives subnormals the exponent of the smallest normal numbers, theirs are below 1: they
  /// come from the subtraction of the hidden bit that they do not have.
  [[gnu::always_inline]] static f32 significands(u32 elements, const element_fields& fields) {
    const u32 bits = to_binary32(elements, fields);
    const u32 hidden = (bits & sign) | one;
    const u32 surplus = (bits & exponent_mask) == 0 ? hidden : u32{};
    return bits_as<f32>((bits & fraction_mask) | hidden) - bits_as<f32>(surplus);
  }

  /// Values, for formats with few exponent bits: significand x 2^(exponent - narrow_centre).
  [[gnu::always_inline]] static f32 narrow_values(u32 elements, const element_fields& fields) {
    const u32 bits = to_binary32(elements, fields);
    const auto subnormal = (bits & exponent_mask) == 0;
    const u32 hidden = subnormal ? (bits & sign) | hidden_bit : u32{};
    const u32 surplus = subnormal ? hidden + narrow_shift : u32{};
    return bits_as<f32>((bits | hidden) + narrow_shift) - bits_as<f32>(surplus);
  }

 private:
  /// The fields at their places in binary32, with the format's own bias.
  [[gnu::always_inline]] static u32 to_binary32(u32 elements, const element_fields& fields) {
    return bits_as<u32>(bits_as<s32>(elements) >> static_cast<int>(fields.factor_shift)) & fields.factor_mask;
  }
};

}  // namespace
}  // namespace tc::numerics::simd
