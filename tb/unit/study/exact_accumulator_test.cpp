// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <random>

#include <boost/multiprecision/cpp_int.hpp>
#include <gtest/gtest.h>

#include <tc/study/exact_accumulator.hpp>

namespace tc::study::exact_accumulator_test {
namespace {

using boost::multiprecision::cpp_int;
using numerics::number_format;

/// A finite element as an integer, in units of the smallest f64 number.
cpp_int in_smallest_units(std::uint64_t bits, const number_format& format) {
  int exponent = 0;
  const double fraction = std::frexp(numerics::value_of(bits, format), &exponent);
  const cpp_int significand = static_cast<std::int64_t>(std::ldexp(fraction, 53));
  // Below the normal numbers the lowest bits of the significand are zero: the division is exact.
  const int shift = exponent - 53 + 1074;
  return shift >= 0 ? cpp_int(significand * (cpp_int(1) << shift)) : cpp_int(significand / (cpp_int(1) << -shift));
}

/// The double nearest to sum x 2^-2148, ties to even, by comparing with half a step.
double nearest_double(const cpp_int& sum) {
  if (sum == 0) return 0;
  const cpp_int size = abs(sum);
  const int exponent = std::max(static_cast<int>(msb(size)) - 2148, -1022);
  const cpp_int step = cpp_int(1) << (exponent - 52 + 2148);
  cpp_int quotient, remainder;
  divide_qr(size, step, quotient, remainder);
  remainder *= 2;
  if (remainder > step || (remainder == step && bit_test(quotient, 0))) ++quotient;
  const double magnitude = std::ldexp(static_cast<double>(static_cast<std::int64_t>(quotient)), exponent - 52);
  return sum < 0 ? -magnitude : magnitude;
}

std::uint64_t any_finite(const number_format& format, std::mt19937_64& random) {
  for (;;) {
    const std::uint64_t bits = random() & format.storage_mask();
    if (numerics::is_finite(numerics::unpack(bits, format).category)) return bits;
  }
}

TEST(exact_accumulator, is_zero_at_first) {
  const exact_accumulator sum;
  EXPECT_TRUE(sum.is_zero());
  EXPECT_FALSE(sum.is_negative());
  EXPECT_EQ(sum.rounded(numerics::f32), 0u);
  EXPECT_EQ(sum.value(), 0.0);
}

TEST(exact_accumulator, holds_the_smallest_and_the_largest_product_together) {
  const std::uint64_t smallest = 1, largest = numerics::f64.largest_number(), sign = numerics::f64.sign_bit();
  exact_accumulator sum;
  sum.add_product(largest, numerics::f64, largest, numerics::f64);
  sum.add_product(smallest, numerics::f64, smallest | sign, numerics::f64);
  EXPECT_EQ(sum.exponent(), 2047);
  sum.add_product(largest, numerics::f64, largest | sign, numerics::f64);
  EXPECT_TRUE(sum.is_negative());
  EXPECT_EQ(sum.exponent(), -2148);
  sum.add_product(smallest, numerics::f64, smallest, numerics::f64);
  EXPECT_TRUE(sum.is_zero());
}

TEST(exact_accumulator, borrows_and_carries_through_all_words) {
  const std::uint64_t one = numerics::encode(1.0, numerics::f64), minus_one = numerics::encode(-1.0, numerics::f64);
  exact_accumulator sum;
  sum.add(minus_one, numerics::f64);
  sum.add_product(1, numerics::f64, 1, numerics::f64);
  EXPECT_EQ(sum.exponent(), -1);
  EXPECT_EQ(sum.value(), -1.0);
  sum.add(one, numerics::f64);
  EXPECT_EQ(sum.exponent(), -2148);
  exact_accumulator other;
  other.add(one, numerics::f64);
  sum -= other;
  EXPECT_TRUE(sum.is_negative());
  EXPECT_EQ(sum.value(), -1.0);
}

TEST(exact_accumulator, rounds_ties_to_even_and_sees_the_smallest_bit_beyond) {
  const auto element = [](double value) { return numerics::encode(value, numerics::f64); };
  exact_accumulator tie;
  tie.add(element(1.0), numerics::f64);
  tie.add(element(std::ldexp(1.0, -11)), numerics::f64);
  EXPECT_EQ(tie.rounded(numerics::f16), 0x3c00u);
  exact_accumulator above = tie;
  above.add_product(1, numerics::f64, 1, numerics::f64);
  EXPECT_EQ(above.rounded(numerics::f16), 0x3c01u);
  exact_accumulator odd = tie;
  odd.add(element(std::ldexp(1.0, -10)), numerics::f64);
  EXPECT_EQ(odd.rounded(numerics::f16), 0x3c02u);
}

TEST(exact_accumulator, overflows_to_infinity_and_underflows_to_subnormals) {
  exact_accumulator sum;
  sum.add(numerics::encode(-65520.0, numerics::f64), numerics::f64);
  EXPECT_EQ(sum.rounded(numerics::f16), 0xfc00u);
  exact_accumulator tiny;
  tiny.add(numerics::encode(std::ldexp(3.0, -25), numerics::f64), numerics::f64);
  EXPECT_EQ(tiny.rounded(numerics::f16), 0x0002u);
}

class random_sums : public testing::TestWithParam<number_format> {};

TEST_P(random_sums, are_those_of_long_integers) {
  const number_format& format = GetParam();
  std::mt19937_64 random(11);
  for (int sums = 0; sums < 60; ++sums) {
    exact_accumulator sum;
    cpp_int expected = 0;
    for (int i = 0; i < 20; ++i) {
      const std::uint64_t a = any_finite(format, random), b = any_finite(format, random);
      sum.add_product(a, format, b, format);
      expected += in_smallest_units(a, format) * in_smallest_units(b, format);
      sum.add(b, format);
      expected += in_smallest_units(b, format) << 1074;
      ASSERT_EQ(sum.is_negative(), expected < 0);
      ASSERT_EQ(sum.is_zero(), expected == 0);
      if (expected != 0) {
        ASSERT_EQ(sum.exponent(), static_cast<int>(msb(abs(expected))) - 2148);
      }
      ASSERT_EQ(sum.value(), nearest_double(expected)) << expected;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(formats, random_sums, testing::Values(numerics::f64, numerics::f32, numerics::bf16, numerics::f16, numerics::e5m2),
                         [](const testing::TestParamInfo<number_format>& format) { return std::string(format.param.name); });

}  // namespace
}  // namespace tc::study::exact_accumulator_test
