#include <cmath>
#include <cstring>
#include <stdexcept>

#include <gtest/gtest.h>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {
namespace {

double value(std::uint32_t bits, const number_format& format) {
  const unpacked_number x = unpack(bits, format);
  const double magnitude = std::ldexp(static_cast<double>(x.significand), x.exponent - static_cast<int>(format.fraction_bits));
  return x.negative ? -magnitude : magnitude;
}

TEST(number_format, unpacks_normal_numbers) {
  EXPECT_EQ(value(0x3c00, f16), 1.0);
  EXPECT_EQ(value(0xfbff, f16), -65504.0);
  EXPECT_EQ(value(0x3f80, bf16), 1.0);
  EXPECT_EQ(value(0x7e, e4m3), 448.0);
  EXPECT_EQ(value(0x7b, e5m2), 57344.0);
  EXPECT_EQ(value(0x1f, e3m2), 28.0);
  EXPECT_EQ(value(0x3f, e2m3), -7.5);
}

TEST(number_format, unpacks_subnormal_numbers_with_the_minimum_exponent) {
  EXPECT_EQ(value(0x0001, f16), std::ldexp(1, -24));
  EXPECT_EQ(unpack(0x0001, f16).exponent, -14);
  EXPECT_EQ(value(0x00000001, f32), std::ldexp(1, -149));
  EXPECT_EQ(unpack(0x00000001, f32).exponent, -126);
  EXPECT_EQ(value(0x01, e4m3), std::ldexp(1, -9));
  EXPECT_EQ(value(0x01, e5m2), std::ldexp(1, -16));
}

TEST(number_format, unpacks_every_e2m1_number) {
  const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  for (std::uint32_t bits = 0; bits < 8; ++bits) {
    EXPECT_EQ(value(bits, e2m1), values[bits]);
    EXPECT_EQ(value(bits | 8, e2m1), -values[bits]);
  }
}

TEST(number_format, agrees_with_the_host_in_every_exponent_of_f32) {
  for (std::uint32_t exponent = 0; exponent < 255; ++exponent) {
    const std::uint32_t bits = 0x80000000u | (exponent << 23) | 0x2aaaabu;
    float host;
    std::memcpy(&host, &bits, sizeof host);
    EXPECT_EQ(value(bits, f32), static_cast<double>(host));
  }
}

TEST(number_format, classifies_special_patterns) {
  EXPECT_EQ(unpack(0x8000, f16).category, number_class::zero);
  EXPECT_EQ(unpack(0x7c00, f16).category, number_class::infinity);
  EXPECT_EQ(unpack(0x7c01, f16).category, number_class::nan);
  EXPECT_EQ(unpack(0xff80, bf16).category, number_class::infinity);
  EXPECT_EQ(unpack(0x7c, e5m2).category, number_class::infinity);
  EXPECT_EQ(unpack(0x7e, e4m3).category, number_class::normal);
  EXPECT_EQ(unpack(0x7f, e4m3).category, number_class::nan);
}

TEST(number_format, tf32_ignores_the_low_13_bits) {
  EXPECT_EQ(value(0x3f801fff, tf32), 1.0);
  EXPECT_EQ(value(0x3f802000, tf32), 1.0 + std::ldexp(1, -10));
  EXPECT_EQ(unpack(0x00001fff, tf32).category, number_class::zero);
  EXPECT_EQ(unpack(0x7f800001, tf32).category, number_class::infinity);
}

TEST(number_format, gives_integers_their_sign) {
  EXPECT_EQ(integer_value(0x80, s8), -128);
  EXPECT_EQ(integer_value(0x80, u8), 128);
  EXPECT_EQ(integer_value(0xf, s4), -1);
  EXPECT_EQ(integer_value(0xf, u4), 15);
  EXPECT_EQ(integer_value(0x1, b1), 1);
  EXPECT_EQ(integer_value(0x80000000, s32), std::int32_t{-2147483647} - 1);
}

TEST(number_format, packs_the_first_element_into_the_lowest_bits) {
  const std::uint32_t row[] = {0x76543210, 0xfedcba98};
  for (unsigned i = 0; i < 16; ++i) EXPECT_EQ(packed_element(row, i, u4), i);
  EXPECT_EQ(packed_element(row, 5, s8), 0xbau);
  EXPECT_EQ(packed_element(row, 2, f16), 0xba98u);
  EXPECT_EQ(packed_element(row, 1, tf32), 0xfedcba98u);
  EXPECT_EQ(packed_element(row, 35, b1), 1u);
}

TEST(number_format, replaces_one_packed_element) {
  std::uint32_t row[] = {0x76543210, 0xfedcba98};
  set_packed_element(row, 3, f16, 0x12345);
  set_packed_element(row, 0, s4, 0xf);
  EXPECT_EQ(row[0], 0x7654321fu);
  EXPECT_EQ(row[1], 0x2345ba98u);
}

TEST(number_format, is_found_by_name) {
  EXPECT_EQ(find_number_format("bf16"), bf16);
  EXPECT_NE(find_number_format("s8"), u8);
  EXPECT_THROW(find_number_format("f17"), std::invalid_argument);
}

}  // namespace
}  // namespace tc::numerics
