// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::numerics::rounded_arithmetic_test {
namespace {

float float_of(std::uint64_t bits) {
  const auto word = static_cast<std::uint32_t>(bits);
  float value;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// NaNs as one: this arithmetic has a single one.
std::uint32_t canonical(float value) { return value == value ? bits_of(value) : 0x7fffffff; }

TEST(rounded_arithmetic, adds_as_the_host_does) {
  const rounded_arithmetic f32_arithmetic(f32, {rounding_mode::to_nearest_even, 23});
  std::mt19937_64 random(1);
  for (int i = 0; i < 200000; ++i) {
    const auto x = static_cast<std::uint32_t>(random());
    // Mostly near x, where sums cancel and round.
    const std::uint32_t y =
        i % 4 == 0 ? static_cast<std::uint32_t>(random()) : x ^ static_cast<std::uint32_t>(random() >> 34) ^ 0x80000000U;
    ASSERT_EQ(f32_arithmetic.add(x, y), canonical(float_of(x) + float_of(y))) << std::hex << x << ' ' << y;
  }
}

TEST(rounded_arithmetic, rounds_products_and_sums_with_them_once) {
  const rounded_arithmetic f32_arithmetic(f32, {rounding_mode::to_nearest_even, 23});
  std::mt19937_64 random(2);
  for (int i = 0; i < 200000; ++i) {
    const auto x = static_cast<std::uint32_t>(random()), y = static_cast<std::uint32_t>(random()), z = static_cast<std::uint32_t>(random());
    const exact_number product = product_of(exact_value(x, f32), exact_value(y, f32));
    ASSERT_EQ(f32_arithmetic.round(product), canonical(float_of(x) * float_of(y)));
    ASSERT_EQ(f32_arithmetic.add_to_element(product, z), canonical(std::fma(float_of(x), float_of(y), float_of(z))));
  }
}

TEST(rounded_arithmetic, flushes_subnormal_operands_and_results) {
  const rounded_arithmetic flushing(f32, {rounding_mode::to_nearest_even, 23}, true);
  EXPECT_EQ(flushing.add(0x00000001, 0x00800000), 0x00800000U);
  EXPECT_EQ(flushing.add(0x80800001, 0x00800000), 0U) << "the difference is subnormal";
}

TEST(rounded_arithmetic, keeps_as_many_bits_as_it_is_told) {
  const rounded_arithmetic short_sums(f32, {rounding_mode::toward_zero, 13});
  EXPECT_EQ(short_sums.add(0x3f800000, 0x38ffffff), 0x3f800000U) << "1 + almost 2^-13";
  EXPECT_EQ(short_sums.add(0x3f800000, 0x39000000), 0x3f800400U) << "1 + 2^-13";
}

TEST(rounded_arithmetic, overflows_toward_zero_to_the_largest_number_of_the_bits_that_it_keeps) {
  const rounded_arithmetic truncating(f16, {rounding_mode::toward_zero, 2});
  EXPECT_EQ(truncating.add(0x7b00, 0x7b00), 0x7b00U);
  EXPECT_EQ(truncating.add(0xfb00, 0xfb00), 0xfb00U);
  EXPECT_EQ(truncating.add(0x7c00, 0x3c00), 0x7c00U) << "infinity + 1";
  EXPECT_EQ(rounded_arithmetic(f16, {rounding_mode::toward_zero, 10}).add(0x7bff, 0x7bff), 0x7bffU);
}

}  // namespace
}  // namespace tc::numerics::rounded_arithmetic_test
