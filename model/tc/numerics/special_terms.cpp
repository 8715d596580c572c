// SPDX-License-Identifier: Apache-2.0
#include "special_terms.hpp"

namespace tc::numerics {

number_class product_category(number_class x, number_class y) {
  const auto one_is = [&](number_class category) { return x == category || y == category; };
  if (one_is(number_class::nan)) return number_class::nan;
  const bool is_zero = one_is(number_class::zero);
  if (one_is(number_class::infinity)) return is_zero ? number_class::nan : number_class::infinity;
  return is_zero ? number_class::zero : number_class::normal;
}

void special_terms::add(number_class category, bool negative) {
  if (category == number_class::nan) is_nan_ = true;
  if (category == number_class::infinity) (negative ? has_negative_infinity_ : has_positive_infinity_) = true;
}

std::uint64_t special_terms::sum(const number_format& accumulator) const {
  if (is_nan_ || (has_positive_infinity_ && has_negative_infinity_)) return accumulator.canonical_nan();
  return accumulator.infinity() | (has_negative_infinity_ ? accumulator.sign_bit() : 0);
}

}  // namespace tc::numerics
