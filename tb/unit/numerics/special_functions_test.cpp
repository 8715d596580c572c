// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include <gtest/gtest.h>

#include <tc/numerics/function_interpolator.hpp>
#include <tc/numerics/special_functions.hpp>

namespace tc::numerics::special_functions_test {
namespace {

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

TEST(truncated_square, has_the_partial_products_of_at_least_one_unit) {
  EXPECT_EQ(truncated_square(0), 0U);
  EXPECT_EQ(truncated_square(1U << 16U), 1U << 13U);           // 2^-1 squared
  EXPECT_EQ(truncated_square(1U << 10U), 2U);                  // 2^-7 squared
  EXPECT_EQ(truncated_square(1U << 9U), 0U);                   // 2^-8 squared is too little
  EXPECT_EQ(truncated_square(1U << 16U | 1U << 2U), 0x2001U);  // 2^-1 with 2^-15
  EXPECT_EQ(truncated_square(1U << 16U | 1U << 1U), 0x2000U);  // 2^-1 with 2^-16
  EXPECT_EQ(truncated_square(1U << 9U | 1U << 10U), 2U + 2U);  // 2^-7 with 2^-8
}

TEST(truncated_square, is_at_most_8_6_units_less_than_the_square) {
  double most = 0;
  for (std::uint32_t x = 0; x < 1U << 17U; ++x) {
    const double missing = static_cast<double>(x) * x / (1U << 19U) - truncated_square(x);
    ASSERT_GE(missing, 0);
    most = std::max(most, missing);
  }
  EXPECT_NEAR(most, 8.5, 0.1);
}

/// The largest difference of a function from what the host computes, in units of `unit`, for operands from `first` to `last`.
template <class Exact>
double largest_error(std::uint32_t (*function)(std::uint32_t), Exact exact, std::uint32_t first, std::uint32_t last, double unit) {
  double error = 0;
  for (std::uint32_t bits = first; bits <= last; bits += 997)
    error = std::max(error, std::abs(static_cast<double>(float_of(function(bits))) - exact(static_cast<double>(float_of(bits)))) / unit);
  return error;
}

constexpr std::uint32_t one = 0x3f800000, two = 0x40000000, four = 0x40800000;

TEST(special_functions, are_as_near_as_the_ptx_isa_says) {
  constexpr double pi = 3.14159265358979323846;
  EXPECT_LE(largest_error(
                approximate_reciprocal, [](double x) { return 1 / x; }, one, two, 0x1p-24),
            1.0);
  EXPECT_LE(largest_error(
                approximate_reciprocal_root, [](double x) { return 1 / std::sqrt(x); }, one, four, 0x1p-24),
            2.0);
  EXPECT_LE(largest_error(
                approximate_root, [](double x) { return std::sqrt(x); }, one, four, 0x1p-23),
            2.0);
  EXPECT_LE(largest_error(
                approximate_power_of_two, [](double x) { return std::exp2(x); }, one, two, 0x1p-22),
            2.0);
  EXPECT_LE(largest_error(
                approximate_logarithm, [](double x) { return std::log2(x); }, one, two, 0x1p-22),
            1.0);
  EXPECT_LE(largest_error(
                approximate_sine, [](double x) { return std::sin(2 * pi * x); }, 0x30000000, one, 0x1p-20),
            1.0);
  EXPECT_LE(largest_error(
                approximate_cosine, [](double x) { return std::cos(2 * pi * x); }, 0x30000000, one, 0x1p-20),
            1.0);
  EXPECT_LE(largest_error(
                approximate_hyperbolic_tangent, [](double x) { return std::tanh(x); }, 0x30000000, 0x41000000, 0x1p-11),
            1.0);
}

TEST(special_functions, join_where_segments_and_quarters_meet) {
  EXPECT_EQ(approximate_sine(0x3e800000), one);                  // a quarter of a turn
  EXPECT_EQ(approximate_sine(0x3f000000), 0x80000000U);          // a half
  EXPECT_EQ(approximate_cosine(0x447a2000), 0xbf800000U);        // 1000 turns and a half
  EXPECT_EQ(approximate_power_of_two(0xc0400000), 0x3e000000U);  // 2^-3
  EXPECT_EQ(approximate_power_of_two(0xb3000000), one);          // less than the lowest bit of the fraction
  EXPECT_EQ(approximate_power_of_two(0xc2fc0000), 0x00800000U);  // 2^-126
  EXPECT_EQ(approximate_power_of_two(0xc2fc0001), 0U);           // less
  EXPECT_EQ(approximate_logarithm(0x41000000), 0x40400000U);     // 8
  EXPECT_EQ(approximate_logarithm(0x3f000000), 0xbf7ffffeU);     // a half: the sum with a negative exponent is complemented
  EXPECT_EQ(approximate_reciprocal_root(four), 0x3f000000U);
  EXPECT_EQ(approximate_hyperbolic_tangent(0x3b7fffff), 0x3b7fffffU);
  EXPECT_EQ(approximate_hyperbolic_tangent(0x41000000), one);
}

}  // namespace
}  // namespace tc::numerics::special_functions_test
