// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>
#include <random>

#include <gtest/gtest.h>

#include <tc/numerics/rounding.hpp>

namespace tc::numerics::rounding_test {
namespace {

constexpr rounding_rule truncate{rounding_mode::toward_zero, 23}, nearest{rounding_mode::to_nearest_even, 23};

std::uint32_t bits_of(float x) {
  std::uint32_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}

/// Random exact numbers a double holds, over all exponents of f32 and some beyond.
template <class Check>
void for_random_numbers(Check check) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const auto value = static_cast<std::int64_t>(random()) >> (11 + random() % 50);
    const int exponent = static_cast<int>(random() % 320) - 190;
    check(scaled_integer{value, exponent}, std::ldexp(static_cast<double>(value), exponent));
  }
}

TEST(rounding, to_nearest_even_agrees_with_the_host) {
  for_random_numbers([](scaled_integer exact, double value) {
    const float host = static_cast<float>(value);
    ASSERT_EQ(round_to_format(exact, f32, nearest), host == 0 ? 0 : bits_of(host)) << value;
  });
}

TEST(rounding, toward_zero_is_the_last_number_not_beyond) {
  for_random_numbers([](scaled_integer exact, double value) {
    float host = static_cast<float>(value);
    if (!std::isinf(host) && std::abs(static_cast<double>(host)) > std::abs(value)) host = std::nextafter(host, 0.0f);
    if (std::isinf(host) && std::abs(value) < std::ldexp(1, 128))
      host = std::copysign(std::nextafter(std::ldexp(1.0f, 127) * 2, 0.0f), host);
    ASSERT_EQ(round_to_format(exact, f32, truncate), host == 0 ? 0 : bits_of(host)) << value;
  });
}

TEST(rounding, returns_every_f16_number_unchanged) {
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    const unpacked_number x = unpack(bits, f16);
    if (!is_finite(x.category) || x.category == number_class::zero) continue;
    const auto significand = static_cast<std::int64_t>(x.significand);
    const scaled_integer exact{x.negative ? -significand : significand, x.exponent - 10};
    ASSERT_EQ(round_to_format(exact, f16, {rounding_mode::to_nearest_even, 10}), bits);
    ASSERT_EQ(round_to_format(exact, f16, {rounding_mode::toward_zero, 10}), bits);
  }
}

TEST(rounding, overflows_to_infinity_in_both_modes) {
  EXPECT_EQ(round_to_format({1, 128}, f32, truncate), 0x7f800000u);
  EXPECT_EQ(round_to_format({-1, 500}, f32, nearest), 0xff800000u);
  EXPECT_EQ(round_to_format({65519, 0}, f16, nearest), 0x7bffu);
  EXPECT_EQ(round_to_format({65520, 0}, f16, nearest), 0x7c00u);
  EXPECT_EQ(round_to_format({65535, 0}, f16, truncate), 0x7bffu);
}

TEST(rounding, underflows_to_positive_zero) {
  EXPECT_EQ(round_to_format({-1, -150}, f32, truncate), 0u);
  EXPECT_EQ(round_to_format({-1, -150}, f32, nearest), 0u);
  EXPECT_EQ(round_to_format({-1, -1000}, f32, nearest), 0u);
  EXPECT_EQ(round_to_format({0, 0}, f32, nearest), 0u);
  EXPECT_EQ(round_to_format({-3, -150}, f32, truncate), 0x80000001u);
}

TEST(rounding, keeps_fewer_fraction_bits_when_told) {
  const scaled_integer exact{(1 << 20) | (1 << 7) | (1 << 6), -20};
  EXPECT_EQ(round_to_format(exact, f32, {rounding_mode::toward_zero, 13}), bits_of(1.0f + std::ldexp(1.0f, -13)));
  EXPECT_EQ(round_to_format(exact, f32, {rounding_mode::to_nearest_even, 13}), bits_of(1.0f + std::ldexp(1.0f, -12)));
}

}  // namespace
}  // namespace tc::numerics::rounding_test
