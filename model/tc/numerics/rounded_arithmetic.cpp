// SPDX-License-Identifier: Apache-2.0
#include "rounded_arithmetic.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include <tc/numerics/special_terms.hpp>

namespace tc::numerics {

namespace {

/// Highest bit of a significand brought to full width: two of them add up to less than 2^62.
constexpr int highest_position = 60;

/// A number that is not zero with its highest bit at highest_position.
exact_number widened(exact_number x) {
  const int shift = highest_position - (63 - __builtin_clzll(x.significand));
  x.significand <<= shift;
  x.exponent -= shift;
  return x;
}

/// significand / 2^distance, with the lowest bit set if bits were lost. Rounding cannot tell the two apart: bits are lost only from
/// significands whose lowest bits are far below the last place of any result.
std::uint64_t shift_right_sticky(std::uint64_t significand, int distance) {
  if (distance > highest_position) return 1;
  const std::uint64_t shifted = significand >> distance;
  return shifted << distance == significand ? shifted : shifted | 1U;
}

}  // namespace

exact_number exact_value(std::uint64_t bits, const number_format& format) {
  const unpacked_number x = unpack(bits, format);
  return {x.category, x.negative, x.significand, x.exponent - static_cast<int>(format.fraction_bits)};
}

exact_number product_of(const exact_number& x, const exact_number& y) {
  const number_class category = product_category(x.category, y.category);
  return {category, x.negative != y.negative, x.significand * y.significand, x.exponent + y.exponent};
}

exact_number sum_of(const exact_number& x, const exact_number& y) {
  exact_number large = widened(x), small = widened(y);
  if (std::tie(large.exponent, large.significand) < std::tie(small.exponent, small.significand)) std::swap(large, small);
  const std::uint64_t aligned = shift_right_sticky(small.significand, large.exponent - small.exponent);
  large.category = number_class::normal;
  large.significand = large.negative == small.negative ? large.significand + aligned : large.significand - aligned;
  return large;
}

namespace {

/// The largest number of a format that a rounding rule gives.
std::uint64_t largest_result(const number_format& format, const rounding_rule& rule) {
  const unsigned dropped = format.fraction_bits - std::min(rule.kept_fraction_bits, format.fraction_bits);
  return format.largest_number() >> dropped << dropped;
}

}  // namespace

std::uint64_t rounded_arithmetic::round(const exact_number& x) const {
  switch (x.category) {
    case number_class::nan:
      return format_.canonical_nan();
    case number_class::infinity:
      return signed_pattern(format_.infinity(), x.negative);
    case number_class::zero:
      return signed_pattern(0, x.negative);
    default:
      break;
  }
  std::uint64_t magnitude = round_magnitude({static_cast<std::int64_t>(x.significand), x.exponent}, format_, rule_);
  if (rule_.mode == rounding_mode::toward_zero) magnitude = std::min(magnitude, largest_result(format_, rule_));
  if (flush_subnormals_ && magnitude <= format_.fraction_mask()) return 0;
  return signed_pattern(magnitude, x.negative);
}

exact_number rounded_arithmetic::operand(std::uint64_t bits) const {
  const exact_number x = exact_value(bits, format_);
  return flush_subnormals_ && x.category == number_class::subnormal ? exact_number{} : x;
}

std::uint64_t rounded_arithmetic::sum(const exact_number& x, const exact_number& y) const {
  special_terms specials;
  specials.add(x.category, x.negative);
  specials.add(y.category, y.negative);
  if (specials.any()) return specials.sum(format_);
  const bool x_is_zero = x.category == number_class::zero, y_is_zero = y.category == number_class::zero;
  if (x_is_zero && y_is_zero) return signed_pattern(0, x.negative && y.negative);
  if (x_is_zero || y_is_zero) return round(x_is_zero ? y : x);
  const exact_number exact = sum_of(x, y);
  return exact.significand == 0 ? 0 : round(exact);
}

}  // namespace tc::numerics
