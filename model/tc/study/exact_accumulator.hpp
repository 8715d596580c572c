// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tc/numerics/number_format.hpp>

namespace tc::study {

/// The exact sum of floating-point numbers and of products of two of them, in any formats up to f64: a fixed-point number wide enough for
/// the smallest and the largest product, with bits to spare for carries (Kulisch, Computer Arithmetic and Validity, 2013). Rounded when it
/// is read, once. Elements must be finite.
class exact_accumulator {
 public:
  void add(std::uint64_t bits, const numerics::number_format& format);
  void add_product(std::uint64_t a_bits, const numerics::number_format& a, std::uint64_t b_bits, const numerics::number_format& b);
  exact_accumulator& operator-=(const exact_accumulator& other);

  bool is_zero() const;
  bool is_negative() const { return words_.back() >> 63 != 0; }
  /// Exponent of the leading bit of the magnitude; the sum must not be zero.
  int exponent() const;
  /// The element nearest to the sum, ties to even; zero is +0.
  std::uint64_t rounded(const numerics::number_format& format) const;
  /// The double nearest to the sum.
  double value() const;

 private:
  /// Weight of the lowest bit: that of the product of the two smallest f64 numbers.
  static constexpr int lowest_exponent = -2 * 1074;
  /// Up to 2^2204; products are below 2^2048.
  static constexpr std::size_t word_count = 68;

  /// Adds (-1)^negative x magnitude x 2^exponent.
  void add_scaled(std::uint64_t magnitude, int exponent, bool negative);
  std::array<std::uint64_t, word_count> magnitude() const;

  std::array<std::uint64_t, word_count> words_{};  ///< two's complement, the lowest word first
};

}  // namespace tc::study
