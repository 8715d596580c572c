// SPDX-License-Identifier: Apache-2.0
#include "special_functions.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include <tc/numerics/function_interpolator.hpp>
#include <tc/numerics/interpolation_segments.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

namespace {

/// The upper half of an f64 as a number of its own.
constexpr number_format upper_half{"upper half of f64", encoding::floating_point, 32, 0, 11, 20, 1023, special_values::infinity_and_nan};

// Weights are those with which all coefficients are whole numbers, so that no product has bits below the unit of the sum. Roundings are
// recovered too: what is added is less than a unit of the first coefficient.
constexpr function_interpolator reciprocals(reciprocal_segments.data(), {26, 23, 24}, 4046);
constexpr function_interpolator reciprocal_roots(reciprocal_root_segments.data(), {26, 23, 23}, -1);
constexpr function_interpolator roots(root_segments.data(), {25, 23, 24}, -1);
constexpr function_interpolator powers_of_two(power_of_two_segments.data(), {25, 21, 23}, 6114);
constexpr function_interpolator logarithms(logarithm_segments.data(), {26, 21, 22}, 837);
constexpr function_interpolator sines(sine_segments.data(), {25, 20, 22}, 0);
constexpr function_interpolator hyperbolic_tangents(hyperbolic_tangent_segments.data(), {24, 22, 23}, 0);

constexpr unsigned fraction_bits = 23;  ///< of the unit's operands
constexpr std::uint32_t fraction_mask = (1U << fraction_bits) - 1, one = 0x3f800000;

/// An operand: (-1)^negative x 1.fraction x 2^exponent if it is normal. Subnormal ones are zeros.
struct unit_operand {
  number_class category;
  bool is_negative;
  int exponent;
  std::uint32_t fraction;

  std::uint32_t significand() const { return fraction | 1U << fraction_bits; }
};

unit_operand operand_of(std::uint32_t bits, const number_format& format) {
  const auto magnitude = static_cast<std::uint32_t>(bits & format.magnitude_mask());
  const auto fraction = static_cast<std::uint32_t>(magnitude & format.fraction_mask()) << (fraction_bits - format.fraction_bits);
  const number_class category = format.class_of(magnitude);
  return {category == number_class::subnormal ? number_class::zero : category, (bits & format.sign_bit()) != 0,
          static_cast<int>(magnitude >> format.fraction_bits) - format.bias, fraction};
}

std::uint32_t signed_element(const number_format& format, bool is_negative, std::uint64_t magnitude) {
  return static_cast<std::uint32_t>(magnitude | (is_negative ? format.sign_bit() : 0));
}

/// magnitude x 2^exponent, truncated.
std::uint32_t truncated(const number_format& format, bool is_negative, std::int64_t magnitude, int exponent) {
  if (magnitude == 0) return signed_element(format, is_negative, 0);
  const int highest = 63 - __builtin_clzll(static_cast<std::uint64_t>(magnitude)),
            excess = highest - static_cast<int>(format.fraction_bits);
  const int field = highest + exponent + format.bias, last_field = static_cast<int>(format.infinity() >> format.fraction_bits);
  if (field <= 0) return signed_element(format, is_negative, 0);
  if (field >= last_field) return signed_element(format, is_negative, format.infinity());
  const auto significand = static_cast<std::uint64_t>(excess >= 0 ? magnitude >> excess : magnitude << -excess);
  return signed_element(format, is_negative,
                        static_cast<std::uint64_t>(field) << format.fraction_bits | (significand & format.fraction_mask()));
}

int unit_exponent(const function_interpolator& interpolator) { return -static_cast<int>(interpolator.fraction_bits()); }

std::uint32_t reciprocal_in(const number_format& format, std::uint32_t bits) {
  const unit_operand x = operand_of(bits, format);
  if (x.category == number_class::nan) return static_cast<std::uint32_t>(format.canonical_nan());
  if (x.category == number_class::zero) return signed_element(format, x.is_negative, format.infinity());
  if (x.category == number_class::infinity) return signed_element(format, x.is_negative, 0);
  // 128 segments: the position has a bit less, and is as far to the left.
  return truncated(format, x.is_negative, reciprocals.value(x.fraction >> 16U, x.fraction << 1U & 0x1ffffU),
                   unit_exponent(reciprocals) - x.exponent);
}

/// A square root halves the exponent; that of an odd one is of a number from 2 to 4, in the second half of the segments.
struct root_operand {
  bool is_odd;
  int exponent;
  std::uint32_t argument;

  explicit root_operand(const unit_operand& x)
      : is_odd((x.exponent & 1) != 0),
        exponent((x.exponent - (is_odd ? 1 : 0)) / 2),
        argument(x.fraction | (is_odd ? 1U << fraction_bits : 0U)) {}
};

std::uint32_t reciprocal_root_in(const number_format& format, std::uint32_t bits) {
  const unit_operand x = operand_of(bits, format);
  if (x.category == number_class::zero) return signed_element(format, x.is_negative, format.infinity());
  if (x.category == number_class::nan || x.is_negative) return static_cast<std::uint32_t>(format.canonical_nan());
  if (x.category == number_class::infinity) return 0;
  const root_operand root(x);
  // Powers of 4 are exact.
  const std::int64_t value =
      root.argument == 0 ? std::int64_t{1} << reciprocal_roots.fraction_bits() : reciprocal_roots.value(root.argument);
  return truncated(format, false, value, unit_exponent(reciprocal_roots) - root.exponent);
}

/// Sine, or cosine, which is the sine a quarter of a turn later. The unit has the first quarter.
std::uint32_t sine_at(const unit_operand& x, bool is_cosine) {
  constexpr int turn_bits = 25;  // of a turn there are no more fraction bits; whole turns make no difference
  if (!is_finite(x.category)) return static_cast<std::uint32_t>(f32.canonical_nan());
  const int shift = x.exponent + turn_bits - static_cast<int>(fraction_bits);
  std::uint32_t turns = 0;
  if (x.category != number_class::zero && std::abs(shift) < 32) turns = shift >= 0 ? x.significand() << shift : x.significand() >> -shift;
  const std::uint32_t quarter = (turns >> fraction_bits) + (is_cosine ? 1 : 0);
  const bool is_falling = (quarter & 1U) != 0, is_second_half = (quarter & 2U) != 0;
  const std::uint32_t argument = (is_falling ? ~turns : turns) & fraction_mask;  // a complement, which is one unit less than the difference
  return truncated(f32, is_second_half != (x.is_negative && !is_cosine), sines.value(argument), unit_exponent(sines));
}

}  // namespace

std::uint32_t approximate_reciprocal(std::uint32_t x) { return reciprocal_in(f32, x); }
std::uint32_t approximate_upper_reciprocal(std::uint32_t x) { return reciprocal_in(upper_half, x); }
std::uint32_t approximate_reciprocal_root(std::uint32_t x) { return reciprocal_root_in(f32, x); }
std::uint32_t approximate_upper_reciprocal_root(std::uint32_t x) { return reciprocal_root_in(upper_half, x); }

std::uint32_t approximate_root(std::uint32_t bits) {
  const unit_operand x = operand_of(bits, f32);
  if (x.category == number_class::zero) return signed_element(f32, x.is_negative, 0);
  if (x.category == number_class::nan || x.is_negative) return static_cast<std::uint32_t>(f32.canonical_nan());
  if (x.category == number_class::infinity) return bits;
  const root_operand root(x);
  return truncated(f32, false, roots.value(root.argument), unit_exponent(roots) + root.exponent);
}

std::uint32_t approximate_power_of_two(std::uint32_t bits) {
  constexpr int overflow_exponent = 8;  // 2^256 and 2^-256 are too large and too small
  const unit_operand x = operand_of(bits, f32);
  if (x.category == number_class::nan) return static_cast<std::uint32_t>(f32.canonical_nan());
  if (x.category == number_class::zero) return one;
  if (x.category == number_class::infinity || x.exponent >= overflow_exponent)
    return x.is_negative ? 0 : static_cast<std::uint32_t>(f32.infinity());
  const std::uint32_t magnitude = x.exponent >= 0 ? x.significand() << x.exponent : x.significand() >> std::min(-x.exponent, 31);
  auto fixed = static_cast<std::int64_t>(magnitude);  // with as many fraction bits as an operand
  // A negative number is complemented; one without a fraction is negated.
  if (x.is_negative) fixed = (magnitude & fraction_mask) != 0 ? ~fixed : -fixed;
  return truncated(f32, false, powers_of_two.value(static_cast<std::uint32_t>(fixed) & fraction_mask),
                   unit_exponent(powers_of_two) + static_cast<int>(fixed >> fraction_bits));
}

std::uint32_t approximate_logarithm(std::uint32_t bits) {
  constexpr unsigned result_bits = 36;  // fraction bits of the sum with the exponent
  const unit_operand x = operand_of(bits, f32);
  if (x.category == number_class::zero) return signed_element(f32, true, f32.infinity());
  if (x.category == number_class::nan || x.is_negative) return static_cast<std::uint32_t>(f32.canonical_nan());
  if (x.category == number_class::infinity) return bits;
  if (bits == one) return 0;
  const std::int64_t fraction = logarithms.value(x.fraction) >> (logarithms.fraction_bits() - result_bits);
  const std::int64_t sum = x.exponent * (std::int64_t{1} << result_bits) + fraction;
  return truncated(f32, sum < 0, sum < 0 ? ~sum : sum, -static_cast<int>(result_bits));
}

std::uint32_t approximate_sine(std::uint32_t turns) { return sine_at(operand_of(turns, f32), false); }
std::uint32_t approximate_cosine(std::uint32_t turns) { return sine_at(operand_of(turns, f32), true); }

std::uint32_t approximate_hyperbolic_tangent(std::uint32_t bits) {
  constexpr int first_exponent = -8, end_exponent = 3;  // below, x is the result; above, 1 is
  struct binade {
    std::uint8_t first_segment, ignored_bits;
  };
  constexpr std::array<binade, 11> binades{{{0, 6}, {1, 6}, {2, 6}, {3, 5}, {5, 5}, {7, 4}, {11, 4}, {15, 4}, {19, 3}, {27, 2}, {43, 3}}};
  const unit_operand x = operand_of(bits, f32);
  if (x.category == number_class::nan) return static_cast<std::uint32_t>(f32.canonical_nan());
  if (x.category == number_class::zero || x.exponent < first_exponent) return bits;
  if (x.exponent >= end_exponent) return signed_element(f32, x.is_negative, one);
  const binade& in = binades[static_cast<unsigned>(x.exponent - first_exponent)];
  const std::uint32_t segment = in.first_segment;
  const std::uint32_t argument = (segment << function_interpolator::position_bits) + (x.fraction >> in.ignored_bits);
  return truncated(f32, x.is_negative, hyperbolic_tangents.value(argument), unit_exponent(hyperbolic_tangents));
}

}  // namespace tc::numerics
