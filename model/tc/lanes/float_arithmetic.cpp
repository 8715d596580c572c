// SPDX-License-Identifier: Apache-2.0
#include "float_arithmetic.hpp"

#include <algorithm>

namespace tc::lanes {

namespace {

using numerics::exact_number;
using numerics::number_class;
using numerics::number_format;

int highest_bit(std::uint64_t x) { return 63 - __builtin_clzll(x); }

}  // namespace

bool rounds_away(isa::float_rounding rounding, bool negative, bool odd, std::uint64_t remainder, std::uint64_t half) {
  switch (rounding) {
    case isa::float_rounding::toward_zero:
      return false;
    case isa::float_rounding::downward:
      return negative && remainder != 0;
    case isa::float_rounding::upward:
      return !negative && remainder != 0;
    case isa::float_rounding::nearest_even:
      break;
  }
  return remainder > half || (remainder == half && odd);
}

float_arithmetic::float_arithmetic(const isa::modifiers& mods, const number_format& result, const number_format& flushed)
    : mods_(mods), result_(result), flushed_(flushed) {}

exact_number float_arithmetic::operand(std::uint64_t bits, const number_format& format) const {
  exact_number x = numerics::exact_value(bits, format);
  const bool flushed = mods_.flush && x.category == number_class::subnormal && format == flushed_;
  if (flushed) x = {number_class::zero, x.negative, 0, 0};
  return x;
}

exact_number float_arithmetic::product(const exact_number& x, const exact_number& y) const {
  const bool has_zero = x.category == number_class::zero || y.category == number_class::zero;
  if (mods_.zero_product && has_zero) return {};
  return numerics::product_of(x, y);
}

/// The rounded pattern without its sign; the first one that is no number if it is too large.
std::uint64_t float_arithmetic::rounded_magnitude(const exact_number& x) const {
  const int fraction_bits = static_cast<int>(result_.fraction_bits);
  const int exponent = std::max(x.exponent + highest_bit(x.significand), result_.minimum_exponent());
  const int dropped = exponent - fraction_bits - x.exponent;  // bits of x below the last place
  const int binade = exponent - result_.minimum_exponent();
  std::uint64_t quotient = 0, remainder = 0, half = 1;
  if (dropped <= 0) {
    quotient = x.significand << -dropped;
  } else if (dropped > 63) {
    remainder = 1;  // less than half of the last place
    half = 2;
  } else {
    quotient = x.significand >> dropped;
    remainder = x.significand - (quotient << dropped);
    half = std::uint64_t{1} << (dropped - 1);
  }
  const bool up = rounds_away(mods_.rounding, x.negative, (quotient & 1U) != 0, remainder, half);
  // The hidden bit adds one to the exponent field, and so does a carry out of the rounding.
  if (binade > 1 << result_.exponent_bits) return result_.first_special();
  return std::min((static_cast<std::uint64_t>(binade) << fraction_bits) + quotient + (up ? 1U : 0U), result_.first_special());
}

std::uint64_t float_arithmetic::round(const exact_number& x) const {
  switch (x.category) {
    case number_class::nan:
      return mods_.saturate ? 0 : result_.canonical_nan();
    case number_class::infinity:
      return finished(mods_.finite ? result_.largest_number() : result_.first_special(), x.negative);
    case number_class::zero:
      return finished(0, x.negative);
    default:
      break;
  }
  const std::uint64_t magnitude = rounded_magnitude(x);
  const bool overflow_goes_away = !mods_.finite && rounds_away(mods_.rounding, x.negative, true, 1, 1);
  if (magnitude == result_.first_special() && !overflow_goes_away) return finished(result_.largest_number(), x.negative);
  const bool flushed = mods_.flush && magnitude <= result_.fraction_mask() && result_ == flushed_;
  return finished(flushed ? 0 : magnitude, x.negative);
}

/// Clamps the result as .SAT and .RELU say (PTX ISA: to the range from +0 to 1; negative results to +0).
std::uint64_t float_arithmetic::finished(std::uint64_t magnitude, bool negative) const {
  if (negative && (mods_.saturate || mods_.clamp_negative)) return 0;
  const std::uint64_t one = static_cast<std::uint64_t>(result_.bias) << result_.fraction_bits;
  if (mods_.saturate) magnitude = std::min(magnitude, one);
  return magnitude | (negative ? result_.sign_bit() : 0);
}

std::uint64_t float_arithmetic::sum(const exact_number& x, const exact_number& y) const {
  const bool x_is_infinite = x.category == number_class::infinity, y_is_infinite = y.category == number_class::infinity;
  const bool cancels = x_is_infinite && y_is_infinite && x.negative != y.negative;
  if (x.category == number_class::nan || y.category == number_class::nan || cancels) return round({number_class::nan, false, 0, 0});
  if (x_is_infinite || y_is_infinite) return round(x_is_infinite ? x : y);
  const bool x_is_zero = x.category == number_class::zero, y_is_zero = y.category == number_class::zero;
  const bool zero_is_negative = mods_.rounding == isa::float_rounding::downward;
  if (x_is_zero && y_is_zero) return finished(0, x.negative == y.negative ? x.negative : zero_is_negative);
  if (x_is_zero || y_is_zero) return round(x_is_zero ? y : x);
  const exact_number exact = numerics::sum_of(x, y);
  return exact.significand == 0 ? finished(0, zero_is_negative) : round(exact);
}

}  // namespace tc::lanes
