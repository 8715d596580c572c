// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tc/numerics/interpolation_segments.hpp>

namespace tc::numerics {

/// Squares of positions within a segment as the squarer gives them, by the bits of a position that decide them: all but the lowest two.
extern const std::array<std::uint16_t, 1U << 15U> truncated_squares;

/// The square of a position within a segment, as the squarer gives it: in units of 2^-15 of the squared length of the segment. Of the
/// partial products, those of two different bits taken once and doubled, it has those of at least one unit; the others are not there. What
/// is missing is at most 8.6 units.
inline std::uint32_t truncated_square(std::uint32_t position) { return truncated_squares[position >> 2U]; }

/// How the special function unit evaluates a function in a segment of its argument: a polynomial of second degree whose products are
/// exact, but for the truncated square, and which is summed exactly, together with a constant of the function (Oberman and Siu, A
/// High-Performance Area-Efficient Multifunction Interpolator, ARITH 2005). The widths, and that nothing else is rounded, are recovered
/// from results of an H100.
class function_interpolator {
 public:
  static constexpr unsigned position_bits = 17;  ///< of the argument within its segment
  static constexpr unsigned square_bits = 15;    ///< fraction bits of its square

  /// Fraction bits of the coefficients; that of the linear one is for the whole length of the segment as a unit.
  struct weights {
    unsigned constant, linear, quadratic;
  };

  /// `rounding` is in units of value().
  constexpr function_interpolator(const interpolation_segment* segments, weights fraction_bits, std::int64_t rounding)
      : segments_(segments), weights_(fraction_bits), rounding_(rounding) {}

  /// Fraction bits of value().
  constexpr unsigned fraction_bits() const { return std::max(weights_.linear + position_bits, weights_.quadratic + square_bits); }

  /// The function at the position in the segment.
  std::int64_t value(std::uint32_t segment, std::uint32_t position) const {
    const interpolation_segment& s = segments_[segment];
    return at_weight(s.constant, weights_.constant) + at_weight(std::int64_t{s.linear} * position, weights_.linear + position_bits) +
           at_weight(std::int64_t{s.quadratic} * truncated_square(position), weights_.quadratic + square_bits) + rounding_;
  }

  /// The same of an argument whose upper bits are the segment.
  std::int64_t value(std::uint32_t argument) const {
    return value(argument >> position_bits, argument & ((std::uint32_t{1} << position_bits) - 1));
  }

 private:
  constexpr std::int64_t at_weight(std::int64_t x, unsigned bits) const { return x * (std::int64_t{1} << (fraction_bits() - bits)); }

  const interpolation_segment* segments_;
  weights weights_;
  std::int64_t rounding_;
};

}  // namespace tc::numerics
