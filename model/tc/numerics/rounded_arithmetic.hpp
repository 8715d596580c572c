// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/exact_number.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounding.hpp>

namespace tc::numerics {

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
