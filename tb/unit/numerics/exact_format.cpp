// SPDX-License-Identifier: Apache-2.0
#include "exact_format.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tc::numerics::test {

namespace {

using codes = exact_format::nan_codes;

// Name; bits of sign, exponent and mantissa; bias; NaN codes.
constexpr exact_format exact_formats[] = {
    {"f64", 1, 11, 52, 1023, codes::above_infinity},
    {"f32", 1, 8, 23, 127, codes::above_infinity},
    {"tf32", 1, 8, 10, 127, codes::above_infinity, 13},
    {"bf16", 1, 8, 7, 127, codes::above_infinity},
    {"f16", 1, 5, 10, 15, codes::above_infinity},
    {"e5m2", 1, 5, 2, 15, codes::above_infinity},
    {"e4m3", 1, 4, 3, 7, codes::largest_code},
    {"e3m2", 1, 3, 2, 3, codes::none},
    {"e2m3", 1, 2, 3, 1, codes::none},
    {"e2m1", 1, 2, 1, 1, codes::none},
    {"ue8m0", 0, 8, 0, 127, codes::largest_code, 0, true},
    {"ue4m3", 0, 4, 3, 7, codes::largest_code},
};

/// `magnitude` / 2^exponent as an integer.
wide_integer rounded_quotient(const dyadic_number& magnitude, int exponent, bool to_nearest_even) {
  if (magnitude.exponent >= exponent) return magnitude.integer * power_of_two(magnitude.exponent - exponent);
  const wide_integer step = power_of_two(exponent - magnitude.exponent);
  wide_integer quotient, remainder;
  divide_qr(magnitude.integer, step, quotient, remainder);
  if (!to_nearest_even) return quotient;
  const int against_half = wide_integer{2 * remainder}.compare(step);
  const bool up = against_half > 0 || (against_half == 0 && bit_test(quotient, 0));
  return up ? wide_integer{quotient + 1} : quotient;
}

}  // namespace

const exact_format& find_exact_format(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(exact_formats), std::end(exact_formats), [name](const exact_format& format) { return format.name == name; });
  if (found == std::end(exact_formats)) throw std::invalid_argument("no floating-point format " + std::string(name));
  return *found;
}

exact_operand decoded(std::uint64_t pattern, const exact_format& format) {
  const std::uint64_t bits = pattern >> format.ignored_low_bits;
  const std::uint64_t mantissa = bits & format.largest_mantissa();
  const std::uint64_t field = bits >> format.mantissa_bits & format.largest_exponent_field();
  exact_operand operand;
  operand.negative = format.sign_bits == 1 && (bits >> (format.mantissa_bits + format.exponent_bits) & 1) != 0;
  const bool is_last_field = field == format.largest_exponent_field();
  if (format.nans == codes::largest_code && is_last_field && mantissa == format.largest_mantissa()) {
    operand.category = exact_operand::kind::nan;
  } else if (format.nans == codes::above_infinity && is_last_field) {
    operand.category = mantissa == 0 ? exact_operand::kind::infinity : exact_operand::kind::nan;
  } else {
    const bool is_normal = field != 0 || format.field_zero_is_normal;
    operand.exponent = static_cast<int>(is_normal ? field : 1) - format.bias;
    operand.significand = is_normal ? mantissa + format.largest_mantissa() + 1 : mantissa;
    operand.significand_exponent = operand.exponent - static_cast<int>(format.mantissa_bits);
  }
  return operand;
}

std::uint64_t rounded(const dyadic_number& x, const exact_format& format, exact_rounding rule) {
  if (x.is_zero()) return 0;
  const unsigned kept = std::min(rule.kept_fraction_bits, format.mantissa_bits);
  const unsigned dropped = format.mantissa_bits - kept;
  const int smallest_exponent = 1 - format.bias;
  const int exponent = std::max(x.binary_logarithm(), smallest_exponent);
  const std::uint64_t infinity = format.infinity(x.is_negative());
  const std::uint64_t largest = infinity - (std::uint64_t{1} << dropped);
  const std::uint64_t beyond_largest = rule.beyond_largest == exact_rounding::overflow::ieee && !rule.to_nearest_even ? largest : infinity;
  if (exponent > format.bias) return beyond_largest;
  const dyadic_number magnitude{abs(x.integer), x.exponent};
  const auto steps = static_cast<std::uint64_t>(rounded_quotient(magnitude, exponent - static_cast<int>(kept), rule.to_nearest_even));
  // A normal significand carries its hidden bit into the exponent field, and so does one that was rounded up to the next power of two.
  const auto field_below = static_cast<std::uint64_t>(exponent - smallest_exponent);
  const std::uint64_t unsigned_pattern = (field_below << format.mantissa_bits) + (steps << dropped);
  return unsigned_pattern | format.pattern(x.is_negative(), 0, 0);
}

}  // namespace tc::numerics::test
