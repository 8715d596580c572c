// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounding.hpp>

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

/// Operations of IEEE 754 whose results are rounded into one format with infinities by a rule of its own. Zeros have their signs; rounding
/// toward zero overflows to the largest number; NaN is the format's canonical one, whatever NaN came in.
class rounded_arithmetic {
 public:
  /// `flush_subnormals`: whether subnormal operands in this format and subnormal results are +0.
  rounded_arithmetic(const number_format& format, rounding_rule rule, bool flush_subnormals = false)
      : format_(format), rule_(rule), flush_subnormals_(flush_subnormals) {}

  const number_format& format() const { return format_; }

  /// x + y of two elements of the format.
  std::uint64_t add(std::uint64_t x, std::uint64_t y) const { return sum(operand(x), operand(y)); }
  /// The value as an element of the format.
  std::uint64_t round(const exact_number& x) const;
  /// x + y, rounded once. x may be a product: with an element of the format as y this is a fused multiply-add.
  std::uint64_t add_to_element(const exact_number& x, std::uint64_t y) const { return sum(x, operand(y)); }

 private:
  exact_number operand(std::uint64_t bits) const;
  std::uint64_t sum(const exact_number& x, const exact_number& y) const;
  std::uint64_t signed_pattern(std::uint64_t magnitude, bool negative) const { return magnitude | (negative ? format_.sign_bit() : 0); }

  number_format format_;
  rounding_rule rule_;
  bool flush_subnormals_;
};

}  // namespace tc::numerics
