// SPDX-License-Identifier: Apache-2.0
#include "number_format.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/numerics/rounding.hpp>

namespace tc::numerics {

namespace {

std::uint64_t bits_of(double number) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &number, sizeof bits);
  return bits;
}

/// A finite double that is not negative as an integer times a power of two: its fields (IEEE 754).
scaled_integer exact_value(double magnitude) {
  constexpr int fraction_bits = std::numeric_limits<double>::digits - 1, bias = std::numeric_limits<double>::max_exponent - 1;
  const std::uint64_t bits = bits_of(magnitude);
  const auto exponent_field = static_cast<int>(bits >> fraction_bits);
  const std::uint64_t hidden_bit = std::uint64_t{exponent_field != 0} << fraction_bits,
                      fraction_mask = (std::uint64_t{1} << fraction_bits) - 1;
  return {static_cast<std::int64_t>((bits & fraction_mask) | hidden_bit), std::max(exponent_field, 1) - bias - fraction_bits};
}

/// The magnitude of a number that is normal in the format, as most are, before and after it is rounded: a sum of its bits, whose carry goes
/// to the exponent. Nothing for other numbers, infinity and NaN.
std::optional<std::uint64_t> round_normal(double magnitude, const number_format& format, rounding_mode mode) {
  const unsigned dropped = f64.fraction_bits - format.fraction_bits;
  if (dropped == 0 || !format.has_zero) return std::nullopt;
  const std::uint64_t bits = bits_of(magnitude), kept = bits >> dropped;
  const std::uint64_t rebias = static_cast<std::uint64_t>(f64.bias - format.bias) << format.fraction_bits;
  if (kept <= rebias + format.fraction_mask()) return std::nullopt;
  const std::uint64_t below_half = (std::uint64_t{1} << (dropped - 1)) - 1;
  const std::uint64_t rounded = ((bits + (mode == rounding_mode::toward_zero ? 0 : below_half + (kept & 1))) >> dropped) - rebias;
  return rounded < format.first_special() ? std::optional(rounded) : std::nullopt;
}

std::uint64_t encode_integer(double value, const number_format& format, rounding_mode mode) {
  if (std::isnan(value)) return 0;
  const bool is_signed = format.kind == encoding::twos_complement;
  const double largest = std::ldexp(1.0, static_cast<int>(format.storage_bits - (is_signed ? 1 : 0))) - 1;
  const double smallest = is_signed ? -largest - 1 : 0;
  const double rounded = mode == rounding_mode::toward_zero ? std::trunc(value) : value - std::remainder(value, 1.0);
  const double bounded = std::isinf(value) ? value : rounded;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(std::clamp(bounded, smallest, largest))) & format.storage_mask();
}

/// Magnitude of a number beyond the largest one. `exact`: whether it is infinite, not just large.
std::uint64_t overflowed(const number_format& format, rounding_mode mode, overflow_rule overflow, bool infinite) {
  const bool to_largest =
      overflow == overflow_rule::saturate || format.specials == special_values::none || (mode == rounding_mode::toward_zero && !infinite);
  if (to_largest) return format.largest_number();
  return format.specials == special_values::infinity_and_nan ? format.infinity() : format.canonical_nan();
}

}  // namespace

const std::vector<number_format>& all_number_formats() {
  static const std::vector<number_format> formats{f64,  f32,   tf32,  bf16, f16, e5m2, e4m3, e3m2, e2m3,
                                                  e2m1, ue8m0, ue4m3, s32,  s8,  u8,   s4,   u4,   b1};
  return formats;
}

const number_format& find_number_format(std::string_view name) {
  const std::vector<number_format>& formats = all_number_formats();
  const auto found = std::find_if(formats.begin(), formats.end(), [name](const number_format& f) { return f.name == name; });
  if (found != formats.end()) return *found;
  std::vector<std::string_view> names(formats.size());
  std::transform(formats.begin(), formats.end(), names.begin(), [](const number_format& f) { return f.name; });
  throw std::invalid_argument(fmt::format("unknown number format '{}'; known are {}", name, fmt::join(names, ", ")));
}

double value_of(std::uint64_t bits, const number_format& format) {
  if (!format.is_floating_point()) return integer_value(bits, format);
  const unpacked_number x = unpack(bits, format);
  if (x.category == number_class::nan) return std::numeric_limits<double>::quiet_NaN();
  const double magnitude = x.category == number_class::infinity
                               ? std::numeric_limits<double>::infinity()
                               : std::ldexp(static_cast<double>(x.significand), x.exponent - static_cast<int>(format.fraction_bits));
  return x.negative ? -magnitude : magnitude;
}

std::uint64_t encode(double value, const number_format& format, rounding_mode mode, overflow_rule overflow) {
  if (!format.is_floating_point()) return encode_integer(value, format, mode);
  const std::uint64_t sign = std::signbit(value) ? format.sign_bit() : 0;
  if (const auto normal = round_normal(std::abs(value), format, mode)) return (*normal | sign) << format.ignored_bits;
  if (std::isnan(value)) {
    const bool has_nan = format.specials != special_values::none;
    return (has_nan ? format.canonical_nan() : format.largest_number()) << format.ignored_bits;
  }
  const bool infinite = std::isinf(value);
  const std::uint64_t rounded =
      infinite ? format.first_special() : round_magnitude(exact_value(std::abs(value)), format, {mode, format.fraction_bits});
  const std::uint64_t magnitude = rounded == format.first_special() ? overflowed(format, mode, overflow, infinite) : rounded;
  return (magnitude | sign) << format.ignored_bits;
}

}  // namespace tc::numerics
