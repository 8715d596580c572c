// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "variant.hpp"

namespace tc::record {

/// How an element type is stored. `bits` includes what the hardware drops: a tf32 is stored as an f32.
struct number_format {
  unsigned bits;
  unsigned exponent_bits = 0, fraction_bits = 0;  ///< 0 for integers
  bool is_signed = true;
  bool has_infinity = true;  ///< false: the highest exponent is for numbers too, and only all ones is NaN (e4m3)

  constexpr bool is_floating() const { return exponent_bits != 0; }
  constexpr int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  constexpr int highest_exponent() const { return has_infinity ? bias() : bias() + 1; }
  constexpr int lowest_exponent() const { return 1 - bias(); }  ///< of normal numbers
  constexpr std::uint64_t mask() const { return bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }
  constexpr std::uint64_t sign_bit() const { return std::uint64_t{1} << (bits - 1); }
  constexpr std::uint64_t fraction_mask() const { return (std::uint64_t{1} << fraction_bits) - 1; }
};

number_format format_of(element type);

/// The floating-point number 1.fraction x 2^exponent, or 0.fraction at the lowest exponent if `exponent` lies below it; an exponent too
/// high becomes the highest. Never infinity or NaN. Bits of `fraction` beyond the format's are dropped.
std::uint64_t finite_number(const number_format& format, bool is_negative, int exponent, std::uint64_t fraction);

/// `value` truncated to the format; the highest finite numbers stand for what exceeds them, and for what is no number.
std::uint64_t truncated(const number_format& format, double value);

/// The value of a floating-point number; an infinity or NaN where it is one.
double value_of(const number_format& format, std::uint64_t number);

}  // namespace tc::record
