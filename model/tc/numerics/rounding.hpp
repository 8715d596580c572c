// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// How results are rounded.
struct rounding_rule {
  rounding_mode mode = rounding_mode::toward_zero;
  /// Fraction bits the result keeps, all if its format has no more; the lower ones are zero.
  unsigned kept_fraction_bits = 23;
};

/// An exact number: value x 2^exponent, |value| < 2^62.
struct scaled_integer {
  std::int64_t value = 0;
  int exponent = 0;
};

/// The magnitude in `format` of an exact number that is not negative; `format.first_special()` for all numbers that round to more than the
/// largest one.
std::uint64_t round_magnitude(scaled_integer exact, const number_format& format, rounding_rule rule);

/// The sum of a tensor core in a format with infinities: overflow gives infinity in both modes, and a result of zero is +0, also when a
/// negative number underflows (recorded on an H200).
std::uint64_t round_to_format(scaled_integer exact, const number_format& format, rounding_rule rule);

}  // namespace tc::numerics
