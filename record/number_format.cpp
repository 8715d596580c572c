// SPDX-License-Identifier: Apache-2.0
#include "number_format.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tc::record {

number_format format_of(element type) {
  switch (type) {
    case element::f64:
      return {64, 11, 52};
    case element::f32:
    case element::tf32:
      return {32, 8, 23};
    case element::f16:
      return {16, 5, 10};
    case element::bf16:
      return {16, 8, 7};
    case element::e4m3:
      return {8, 4, 3, true, false};
    case element::e5m2:
      return {8, 5, 2};
    case element::s32:
      return {32};
    case element::s8:
      return {8};
    case element::u8:
      return {8, 0, 0, false};
    case element::s4:
      return {4};
    case element::u4:
      return {4, 0, 0, false};
    case element::b1:
      return {1, 0, 0, false};
  }
  return {0};
}

std::uint64_t finite_number(const number_format& format, bool is_negative, int exponent, std::uint64_t fraction) {
  const std::uint64_t sign = is_negative ? format.sign_bit() : 0;
  fraction &= format.fraction_mask();
  if (exponent < format.lowest_exponent()) return sign | fraction;
  if (exponent > format.highest_exponent()) exponent = format.highest_exponent();
  const bool would_be_nan = !format.has_infinity && exponent == format.highest_exponent() && fraction == format.fraction_mask();
  if (would_be_nan) fraction ^= 1;
  return sign | static_cast<std::uint64_t>(exponent + format.bias()) << format.fraction_bits | fraction;
}

std::uint64_t truncated(const number_format& format, double value) {
  const bool is_negative = std::signbit(value);
  if (!std::isfinite(value)) return finite_number(format, is_negative, format.highest_exponent(), format.fraction_mask());
  if (value == 0) return is_negative ? format.sign_bit() : 0;
  const int exponent = std::ilogb(value);
  if (exponent > format.highest_exponent()) return finite_number(format, is_negative, format.highest_exponent(), format.fraction_mask());
  const int unit = std::max(exponent, format.lowest_exponent()) - static_cast<int>(format.fraction_bits);
  const auto significand = static_cast<std::uint64_t>(std::scalbn(std::fabs(value), -unit));
  return finite_number(format, is_negative, exponent, significand);
}

double value_of(const number_format& format, std::uint64_t number) {
  const std::uint64_t fraction = number & format.fraction_mask();
  const auto field = static_cast<int>((number & ~format.sign_bit() & format.mask()) >> format.fraction_bits);
  const bool is_highest_field = field == (1 << format.exponent_bits) - 1;
  double magnitude;
  if (is_highest_field && (format.has_infinity || fraction == format.fraction_mask())) {
    magnitude = format.has_infinity && fraction == 0 ? std::numeric_limits<double>::infinity() : std::numeric_limits<double>::quiet_NaN();
  } else {
    const std::uint64_t significand = field == 0 ? fraction : fraction | std::uint64_t{1} << format.fraction_bits;
    const int exponent = std::max(field - format.bias(), format.lowest_exponent());
    magnitude = std::scalbn(static_cast<double>(significand), exponent - static_cast<int>(format.fraction_bits));
  }
  return number & format.sign_bit() ? -magnitude : magnitude;
}

}  // namespace tc::record
