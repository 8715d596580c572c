// SPDX-License-Identifier: Apache-2.0
#include "exact_number.hpp"

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

}  // namespace tc::numerics
