// SPDX-License-Identifier: Apache-2.0
#include "probe_row.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace tc::study {

namespace {

using numerics::number_class;
using numerics::number_format;

/// The pattern of exactly `value`, if the format has one.
std::optional<std::uint64_t> exact_pattern(double value, const number_format& format) {
  const std::uint64_t bits = numerics::encode(value, format);
  if (numerics::value_of(bits, format) != value) return std::nullopt;
  return bits;
}

bool is_power_of_two(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

struct factors {
  std::uint64_t a, b;
};

/// `value` as x times a second factor, if both are elements.
std::optional<factors> factors_with(double x, double value, const number_format& a, const number_format& b) {
  const auto first = exact_pattern(x, a), second = exact_pattern(value / x, b);
  if (!first || !second) return std::nullopt;
  return factors{*first, *second};
}

/// Two elements whose product is exactly `value`: as equal in size as the formats allow, the first not subnormal without need. 2.25 is
/// 1.5 x 1.5: a product above 2.
std::optional<factors> factors_of(double value, const number_format& a, const number_format& b) {
  const int smallest = smallest_exponent(a), normal = a.minimum_exponent(), largest = largest_exponent(a);
  const bool is_power = is_power_of_two(std::fabs(value));
  for (const double fraction : {is_power ? 1.0 : 1.5, is_power ? 1.5 : 1.0}) {
    const int middle = std::clamp(std::ilogb(value) / 2, normal, largest);
    for (int distance = 0; distance <= largest - normal; ++distance) {
      for (const int exponent : {middle + distance, middle - distance}) {
        if (exponent < normal || exponent > largest) continue;
        if (const auto found = factors_with(std::ldexp(fraction, exponent), value, a, b)) return found;
      }
    }
    for (int exponent = normal - 1; exponent >= smallest; --exponent)
      if (const auto found = factors_with(std::ldexp(fraction, exponent), value, a, b)) return found;
  }
  return std::nullopt;
}

unsigned blocks_of(const numerics::dot_product_types& types, unsigned length) {
  return types.scaling ? (length + types.scaling->block_length - 1) / types.scaling->block_length : 0;
}

std::string power_text(double power) {
  const int n = std::ilogb(power);
  return n >= 0 && n < 4 ? fmt::format("{}", 1 << n) : fmt::format("2^{}", n);
}

/// "2^7 + 2^-4" or "2^7 - 2^-4"; empty for other numbers.
std::string two_powers(double magnitude) {
  const double lower = std::ldexp(1, std::ilogb(magnitude)), above = magnitude - lower, below = 2 * lower - magnitude;
  if (is_power_of_two(above)) return power_text(lower) + " + " + power_text(above);
  if (is_power_of_two(below)) return power_text(2 * lower) + " - " + power_text(below);
  return {};
}

}  // namespace

row_writer::row_writer(const numerics::dot_product_types& types, unsigned length) : types_(types) {
  inputs_.a.assign(length, 0);
  inputs_.b.assign(length, 0);
  const unsigned blocks = blocks_of(types, length);
  scale_.assign(blocks, 0);
  if (!types.scaling) return;
  inputs_.scale_a.assign(blocks, numerics::encode(1, types.scaling->format));
  inputs_.scale_b = inputs_.scale_a;
}

bool row_writer::choose_scales(unsigned block, double value) {
  const number_format& format = types_.scaling->format;
  const auto nearest = [&](int e) { return std::clamp(e, format.minimum_exponent(), largest_exponent(format)); };
  const int wanted = std::ilogb(value), a = nearest(wanted / 2), b = nearest(wanted - a);
  inputs_.scale_a[block] = numerics::encode(std::ldexp(1, a), format);
  inputs_.scale_b[block] = numerics::encode(std::ldexp(1, b), format);
  scale_[block] = std::ldexp(1, a + b);
  return true;
}

row_writer& row_writer::product(unsigned position, double value) {
  if (position >= inputs_.a.size()) {
    usable_ = false;
    return *this;
  }
  double element_product = value;
  if (types_.scaling) {
    const unsigned block = position / types_.scaling->block_length;
    if (scale_[block] == 0) choose_scales(block, value);
    element_product /= scale_[block];
  }
  const auto found = factors_of(element_product, types_.a, types_.b);
  usable_ = usable_ && found;
  if (found) inputs_.a[position] = found->a, inputs_.b[position] = found->b;
  return *this;
}

row_writer& row_writer::zero_times_large(unsigned position) {
  usable_ = usable_ && position < inputs_.a.size();
  if (usable_) inputs_.b[position] = numerics::encode(std::ldexp(1, largest_exponent(types_.b)), types_.b);
  return *this;
}

row_writer& row_writer::addend(double value) {
  const auto bits = exact_pattern(value, types_.accumulator);
  usable_ = usable_ && bits;
  if (bits) inputs_.c = *bits;
  return *this;
}

std::optional<dot_inputs> row_writer::inputs() const { return usable_ ? std::optional(inputs_) : std::nullopt; }

int largest_product_exponent(const numerics::dot_product_types& types) { return largest_exponent(types.a) + largest_exponent(types.b); }

int smallest_product_exponent(const numerics::dot_product_types& types) { return smallest_exponent(types.a) + smallest_exponent(types.b); }

int largest_exponent(const number_format& format) {
  const int with_every_code = (1 << format.exponent_bits) - 1 - format.bias;
  const bool top_is_special = format.specials == numerics::special_values::infinity_and_nan || format.fraction_bits == 0;
  return with_every_code - (top_is_special ? 1 : 0);
}

int smallest_exponent(const number_format& format) {
  return format.has_zero ? format.minimum_exponent() - static_cast<int>(format.fraction_bits) : -format.bias;
}

double product_value(const dot_inputs& inputs, const numerics::dot_product_types& types, unsigned position) {
  double product = numerics::value_of(inputs.a[position], types.a) * numerics::value_of(inputs.b[position], types.b);
  if (!types.scaling) return product;
  const unsigned block = position / types.scaling->block_length;
  return product * numerics::value_of(inputs.scale_a[block], types.scaling->format) *
         numerics::value_of(inputs.scale_b[block], types.scaling->format);
}

bool has_tiny_products(const dot_inputs& inputs, const numerics::dot_product_types& types) {
  const auto exponent = [](std::uint64_t bits, const number_format& format) { return std::ilogb(numerics::value_of(bits, format)); };
  for (std::size_t i = 0; i < inputs.a.size(); ++i) {
    const double product = numerics::value_of(inputs.a[i], types.a) * numerics::value_of(inputs.b[i], types.b);
    if (product == 0 || !std::isfinite(product)) continue;
    // Products that are summed before the alignment have the exponents of their scales alone.
    int smallest = std::min(exponent(inputs.a[i], types.a) + exponent(inputs.b[i], types.b), 0);
    if (types.scaling) {
      const std::size_t block = i / types.scaling->block_length;
      const std::uint64_t scale_a = inputs.scale_a[block], scale_b = inputs.scale_b[block];
      const double scale = numerics::value_of(scale_a, types.scaling->format) * numerics::value_of(scale_b, types.scaling->format);
      if (scale == 0 || !std::isfinite(scale)) continue;
      smallest += exponent(scale_a, types.scaling->format) + exponent(scale_b, types.scaling->format);
    }
    if (smallest < types.accumulator.minimum_exponent()) return true;
  }
  return false;
}

std::string number_text(double value) {
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  if (!std::isfinite(value)) return std::isnan(value) ? "NaN" : value < 0 ? "-inf" : "inf";
  const double magnitude = std::fabs(value);
  const std::string sign = value < 0 ? "-" : "";
  if (is_power_of_two(magnitude)) return sign + power_text(magnitude);
  if (magnitude < 1e5 && magnitude == std::floor(magnitude)) return fmt::format("{:.0f}", value);
  const std::string decimal = fmt::format("{}", magnitude);
  if (decimal.size() <= 5) return sign + decimal;
  const int exponent = std::ilogb(magnitude);
  const std::string fraction = fmt::format("{}", std::ldexp(magnitude, -exponent));
  if (fraction.size() <= 5) return fmt::format("{}{} x 2^{}", sign, fraction, exponent);
  const std::string powers = two_powers(magnitude);
  if (!powers.empty()) return sign.empty() ? powers : "-(" + powers + ")";
  return fmt::format("{:a}", value);
}

std::string pattern_text(std::uint64_t bits, const number_format& format) {
  const double value = numerics::value_of(bits, format);
  return std::isnan(value) ? fmt::format("NaN {:#x}", bits) : number_text(value);
}

std::string inputs_text(const dot_inputs& inputs, const numerics::dot_product_types& types) {
  constexpr unsigned most_shown = 6;
  std::string text = "C = " + pattern_text(inputs.c, types.accumulator);
  unsigned shown = 0, left_out = 0;
  for (unsigned i = 0; i < inputs.a.size(); ++i) {
    const double a = numerics::value_of(inputs.a[i], types.a), b = numerics::value_of(inputs.b[i], types.b);
    if (a == 0 && b == 0) continue;
    if (shown == most_shown) {
      ++left_out;
      continue;
    }
    ++shown;
    const double product = product_value(inputs, types, i);
    const bool is_plain = std::isfinite(product) && product != 0;
    text +=
        is_plain ? fmt::format(", {} at {}", number_text(product), i) : fmt::format(", {} x {} at {}", number_text(a), number_text(b), i);
  }
  if (left_out > 0) text += fmt::format(", and {} more", left_out);
  return text;
}

}  // namespace tc::study
