// SPDX-License-Identifier: Apache-2.0
#include "rounded_arithmetic.hpp"

#include <algorithm>

#include <tc/numerics/special_terms.hpp>

namespace tc::numerics {

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
