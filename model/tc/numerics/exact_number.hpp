// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// A floating-point value on its way through an operation, before it is rounded: (-1)^negative x significand x 2^exponent,
/// significand < 2^62.
struct exact_number {
  number_class category = number_class::zero;
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;
};

/// The value of an element of at most 53 significant bits.
exact_number exact_value(std::uint64_t bits, const number_format& format);

/// The product of two values whose significands have 53 bits together. NaN and infinities as in IEEE 754.
exact_number product_of(const exact_number& x, const exact_number& y);

/// x + y of two finite values that are not zero; a sum of zero has a significand of zero. Exact, but that bits too low for any result are
/// replaced by one that rounds as they do (a sticky bit).
exact_number sum_of(const exact_number& x, const exact_number& y);

}  // namespace tc::numerics
