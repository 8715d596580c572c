#include <algorithm>

#include <tc/numerics/rounding.hpp>

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

std::uint32_t round_to_format(scaled_integer exact, const number_format& format, rounding_rule rule) {
  if (exact.value == 0) return 0;
  const bool negative = exact.value < 0;
  const auto magnitude = static_cast<std::uint64_t>(negative ? -exact.value : exact.value);

  const int exponent = std::max(exact.exponent + highest_bit(magnitude), format.minimum_exponent());
  if (exponent > format.bias) return format.infinity() | (negative ? format.sign_bit() : 0);

  const unsigned kept_bits = std::min(rule.kept_fraction_bits, format.fraction_bits);
  const int unit_exponent = exponent - static_cast<int>(kept_bits);
  const std::uint64_t significand = divide_by_power_of_two(magnitude, unit_exponent - exact.exponent, rule.mode);
  // The hidden bit of a normal number adds one to the exponent field, and so does a carry out of the rounding; hence `bias - 1`.
  const auto exponent_field = static_cast<std::uint64_t>(exponent + format.bias - 1);
  const std::uint64_t pattern = (exponent_field << format.fraction_bits) + (significand << (format.fraction_bits - kept_bits));

  if (pattern == 0) return 0;
  const auto bounded = static_cast<std::uint32_t>(std::min<std::uint64_t>(pattern, format.infinity()));
  return bounded | (negative ? format.sign_bit() : 0);
}

}  // namespace tc::numerics
