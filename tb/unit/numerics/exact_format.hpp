// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

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

/// A floating-point format as its specification tables it: IEEE 754, PTX ISA, OCP 8-bit floating point and OCP microscaling. The tests' own
/// copy, which shares nothing with the library's formats but the names.
struct exact_format {
  enum class nan_codes { none, largest_code, above_infinity };

  std::string_view name;
  unsigned sign_bits, exponent_bits, mantissa_bits;
  int bias;
  nan_codes nans;
  unsigned ignored_low_bits = 0;      ///< tf32 in its 32-bit cell
  bool field_zero_is_normal = false;  ///< ue8m0 has neither zero nor subnormals

  std::uint64_t largest_exponent_field() const { return (std::uint64_t{1} << exponent_bits) - 1; }
  std::uint64_t largest_mantissa() const { return (std::uint64_t{1} << mantissa_bits) - 1; }
  /// Pattern of this sign, exponent field and mantissa.
  std::uint64_t pattern(bool negative, std::uint64_t exponent_field, std::uint64_t mantissa) const {
    const std::uint64_t sign = negative && sign_bits == 1 ? 1 : 0;
    return ((sign << exponent_bits | exponent_field) << mantissa_bits | mantissa) << ignored_low_bits;
  }
  bool has_infinity() const { return nans == nan_codes::above_infinity; }
  std::uint64_t infinity(bool negative) const { return pattern(negative, largest_exponent_field(), 0); }
  /// The one NaN that tensor cores return: 0x7fff, 0x7fffffff.
  std::uint64_t canonical_nan() const { return pattern(false, largest_exponent_field(), largest_mantissa()); }
};

/// Throws std::invalid_argument if there is none of this name.
const exact_format& find_exact_format(std::string_view name);

/// An element taken apart.
struct exact_operand {
  enum class kind { finite, infinity, nan };

  kind category = kind::finite;
  bool negative = false;          ///< also of zero and infinity
  int exponent = 0;               ///< of the exponent field; zero and subnormals read as that of field 1
  std::uint64_t significand = 0;  ///< an integer, with the hidden bit
  int significand_exponent = 0;   ///< of the lowest bit of the significand

  bool is_nan() const { return category == kind::nan; }
  bool is_infinite() const { return category == kind::infinity; }
  bool is_zero() const { return category == kind::finite && significand == 0; }
  /// Of a finite number.
  dyadic_number value() const {
    return {negative ? wide_integer{-wide_integer{significand}} : wide_integer{significand}, significand_exponent};
  }
};

exact_operand decoded(std::uint64_t pattern, const exact_format& format);

/// How a number is rounded into a format.
struct exact_rounding {
  enum class overflow { infinity, ieee };  ///< ieee: toward zero stops at the largest number

  bool to_nearest_even = true;  ///< else toward zero
  unsigned kept_fraction_bits = 64;
  overflow beyond_largest = overflow::infinity;
};

/// The pattern of `x` in a format with infinities; +0 for zero, -0 for a negative number that underflows.
std::uint64_t rounded(const dyadic_number& x, const exact_format& format, exact_rounding rule);

}  // namespace tc::numerics::test
