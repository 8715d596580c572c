// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/multiprecision/cpp_int.hpp>

namespace tc::numerics::test {

/// Holds the exact sum of any two products of f64 numbers, from 2^-2148 to 2^2048, without touching the heap.
using wide_integer = boost::multiprecision::number<
    boost::multiprecision::cpp_int_backend<4608, 4608, boost::multiprecision::signed_magnitude, boost::multiprecision::unchecked, void>>;

inline wide_integer power_of_two(int exponent) { return wide_integer{1} << static_cast<unsigned>(exponent); }

/// A rational number whose denominator is a power of two: integer x 2^exponent. Nothing is ever rounded.
struct dyadic_number {
  wide_integer integer = 0;
  int exponent = 0;

  bool is_zero() const { return integer.is_zero(); }
  bool is_negative() const { return integer.sign() < 0; }
  /// Of a number that is not zero: its magnitude is at least 2^(this) and less than twice that.
  int binary_logarithm() const { return static_cast<int>(msb(abs(integer))) + exponent; }
};

inline dyadic_number operator+(const dyadic_number& x, const dyadic_number& y) {
  if (x.exponent > y.exponent) return y + x;
  return {x.integer + y.integer * power_of_two(y.exponent - x.exponent), x.exponent};
}

inline dyadic_number operator*(const dyadic_number& x, const dyadic_number& y) { return {x.integer * y.integer, x.exponent + y.exponent}; }

/// The multiple of 2^exponent that is nearest to `x` and not beyond it.
inline dyadic_number truncated_to_multiple(const dyadic_number& x, int exponent) {
  if (x.exponent >= exponent) return x;
  return {x.integer / power_of_two(exponent - x.exponent), exponent};
}

}  // namespace tc::numerics::test
