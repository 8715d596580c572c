// SPDX-License-Identifier: Apache-2.0
#include "rounding.hpp"

#include <algorithm>

namespace tc::numerics {

namespace {

/// Position of the highest one of a number that is not zero.
int highest_bit(std::uint64_t x) { return 63 - __builtin_clzll(x); }

/// magnitude / 2^shift as an integer, for magnitude < 2^62.
std::uint64_t divide_by_power_of_two(std::uint64_t magnitude, int shift, rounding_mode mode) {
  if (shift <= 0) return magnitude << -shift;
  if (shift > 63) return 0;  // below half a unit: both modes give zero
  const std::uint64_t quotient = magnitude >> shift;
  if (mode == rounding_mode::toward_zero) return quotient;
  const std::uint64_t half = std::uint64_t{1} << (shift - 1);
  const std::uint64_t remainder = magnitude - (quotient << shift);
  const bool up = remainder > half || (remainder == half && (quotient & 1) != 0);
  return quotient + (up ? 1 : 0);
}

}  // namespace

std::uint64_t round_magnitude(scaled_integer exact, const number_format& format, rounding_rule rule) {
  if (exact.value == 0) return 0;
  const auto magnitude = static_cast<std::uint64_t>(exact.value);
  const int exponent = std::max(exact.exponent + highest_bit(magnitude), format.minimum_exponent());
  const auto binade = static_cast<std::uint64_t>(exponent - format.minimum_exponent());
  if (binade >> format.exponent_bits != 0) return format.first_special();

  const unsigned kept_bits = std::min(rule.kept_fraction_bits, format.fraction_bits);
  const int unit_exponent = exponent - static_cast<int>(kept_bits);
  const std::uint64_t significand = divide_by_power_of_two(magnitude, unit_exponent - exact.exponent, rule.mode)
                                    << (format.fraction_bits - kept_bits);
  // The hidden bit of a normal number adds one to the exponent field, and so does a carry out of the rounding. Without zero, the hidden
  // bit has no place in the field: its lowest value is a normal exponent.
  const std::uint64_t hidden_bit = format.has_zero ? 0 : format.fraction_mask() + 1;
  const std::uint64_t pattern = (binade << format.fraction_bits) + std::max(significand, hidden_bit) - hidden_bit;
  return std::min(pattern, format.first_special());
}

std::uint64_t round_to_format(scaled_integer exact, const number_format& format, rounding_rule rule) {
  const bool negative = exact.value < 0;
  const std::uint64_t magnitude = round_magnitude({negative ? -exact.value : exact.value, exact.exponent}, format, rule);
  return magnitude == 0 ? 0 : magnitude | (negative ? format.sign_bit() : 0);
}

}  // namespace tc::numerics
