#pragma once

#include <cstdint>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// Rounding of an exact sum to the output format. Overflow gives infinity in both.
enum class rounding_mode : std::uint8_t { toward_zero, to_nearest_even };

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

/// `exact` in a format with infinities. A result of zero is +0, also when a negative number underflows (recorded on an H200).
std::uint32_t round_to_format(scaled_integer exact, const number_format& format, rounding_rule rule);

}  // namespace tc::numerics
