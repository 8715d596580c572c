// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tc/numerics/number_format.hpp>
#include <tc/numerics/number_text.hpp>

namespace tc::numerics::number_format_test {
namespace {

double value(std::uint32_t bits, const number_format& format) {
  const unpacked_number x = unpack(bits, format);
  const double magnitude = std::ldexp(static_cast<double>(x.significand), x.exponent - static_cast<int>(format.fraction_bits));
  return x.negative ? -magnitude : magnitude;
}

/// All elements of at most 16 bits that the format's ignored and unused bits do not repeat.
std::vector<std::uint64_t> all_elements(const number_format& format) {
  const std::uint64_t used = format.is_floating_point() ? format.sign_bit() | format.magnitude_mask() : format.storage_mask();
  std::vector<std::uint64_t> elements(used + 1);
  std::iota(elements.begin(), elements.end(), std::uint64_t{0});
  return elements;
}

std::vector<number_format> small_formats() {
  std::vector<number_format> formats;
  for (const number_format& format : all_number_formats())
    if (format.storage_bits <= 16) formats.push_back(format);
  return formats;
}

/// The value of a pattern straight from the definitions of the formats (IEEE 754, OCP 8-bit and microscaling formats).
double defined_value(std::string_view name, unsigned bits) {
  struct definition {
    std::string_view name;
    unsigned exponent_bits, fraction_bits;
    int bias;
  };
  constexpr definition definitions[] = {{"bf16", 8, 7, 127}, {"f16", 5, 10, 15}, {"e5m2", 5, 2, 15}, {"e4m3", 4, 3, 7},
                                        {"e3m2", 3, 2, 3},   {"e2m3", 2, 3, 1},  {"e2m1", 2, 1, 1},  {"ue4m3", 4, 3, 7}};
  if (name == "ue8m0") return bits == 255 ? NAN : std::pow(2.0, static_cast<int>(bits) - 127);
  if (name == "u8" || name == "u4" || name == "b1") return bits;
  if (name == "s8") return bits < 128 ? bits : static_cast<double>(bits) - 256;
  if (name == "s4") return bits < 8 ? bits : static_cast<double>(bits) - 16;
  const definition& d = *std::find_if(std::begin(definitions), std::end(definitions), [&](const definition& x) { return x.name == name; });
  const unsigned fractions = 1U << d.fraction_bits, exponents = 1U << d.exponent_bits;
  const unsigned fraction = bits % fractions, exponent = bits / fractions % exponents;
  const double sign = bits / fractions / exponents == 0 ? 1 : -1, part = static_cast<double>(fraction) / fractions;
  const bool has_infinity = name == "bf16" || name == "f16" || name == "e5m2", is_e4m3 = name == "e4m3" || name == "ue4m3";
  if (has_infinity && exponent == exponents - 1) return fraction == 0 ? sign * INFINITY : NAN;
  if (is_e4m3 && exponent == exponents - 1 && fraction == fractions - 1) return NAN;
  if (exponent == 0) return sign * part * std::pow(2.0, 1 - d.bias);
  return sign * (1 + part) * std::pow(2.0, static_cast<int>(exponent) - d.bias);
}

TEST(number_format, has_the_defined_value_in_every_small_element) {
  for (const number_format& format : small_formats()) {
    for (const std::uint64_t bits : all_elements(format)) {
      const double expected = defined_value(format.name, static_cast<unsigned>(bits)), decoded = value_of(bits, format);
      ASSERT_TRUE(std::isnan(expected) ? std::isnan(decoded) : decoded == expected && std::signbit(decoded) == std::signbit(expected))
          << format.name << ' ' << hex_text(bits, format) << ": " << decoded << " instead of " << expected;
    }
  }
}

TEST(number_format, encodes_every_small_number_back) {
  for (const number_format& format : small_formats()) {
    for (const std::uint64_t bits : all_elements(format)) {
      const double number = value_of(bits, format);
      if (std::isnan(number)) continue;
      ASSERT_EQ(encode(number, format), bits) << format.name;
      ASSERT_EQ(encode(number, format, rounding_mode::toward_zero), bits) << format.name;
    }
  }
}

TEST(number_format, rounds_what_lies_between_neighbours) {
  for (const number_format& format : small_formats()) {
    if (!format.is_floating_point()) continue;
    for (std::uint64_t bits = 0; bits + 1 < format.first_special(); ++bits) {
      const double low = value_of(bits, format), high = value_of(bits + 1, format), middle = (low + high) / 2;
      ASSERT_LT(low, high) << format.name;
      ASSERT_EQ(encode(std::nextafter(middle, low), format), bits) << format.name;
      ASSERT_EQ(encode(std::nextafter(middle, high), format), bits + 1) << format.name;
      ASSERT_EQ(encode(std::nextafter(high, low), format, rounding_mode::toward_zero), bits) << format.name;
      if (format.fraction_bits > 0) {
        ASSERT_EQ(encode(middle, format) % 2, 0U) << format.name;
      }
    }
  }
}

TEST(number_format, prints_every_small_number_so_that_it_reads_back) {
  for (const number_format& format : small_formats()) {
    for (const std::uint64_t bits : all_elements(format)) {
      if (std::isnan(value_of(bits, format))) continue;
      ASSERT_EQ(encode(std::stod(decimal_text(bits, format)), format), bits) << format.name;
    }
  }
}

TEST(number_format, encodes_f32_and_f64_as_the_host_does) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t bits = random();
    const double number = value_of(bits, f64);
    if (std::isnan(number) || std::isinf(number)) continue;
    ASSERT_EQ(encode(number, f64), bits);
    int exponent = 0;
    const double near_f32 = std::ldexp(std::frexp(number, &exponent), static_cast<int>(random() % 300) - 160);
    const auto rounded = static_cast<float>(near_f32);
    std::uint32_t expected;
    std::memcpy(&expected, &rounded, sizeof expected);
    ASSERT_EQ(encode(near_f32, f32), expected) << near_f32;
  }
}

TEST(number_format, says_what_becomes_of_too_large_numbers) {
  EXPECT_EQ(encode(1e6, f16), 0x7c00U);
  EXPECT_EQ(encode(-1e6, f16), 0xfc00U);
  EXPECT_EQ(encode(1e6, f16, rounding_mode::toward_zero), 0x7bffU);
  EXPECT_EQ(encode(INFINITY, f16, rounding_mode::toward_zero), 0x7c00U);
  EXPECT_EQ(encode(1e6, f16, rounding_mode::to_nearest_even, overflow_rule::saturate), 0x7bffU);
  EXPECT_EQ(encode(464, e4m3), 0x7eU) << "halfway between 448 and what would be 480";
  EXPECT_EQ(encode(465, e4m3), 0x7fU);
  EXPECT_EQ(encode(-465, e4m3, rounding_mode::to_nearest_even, overflow_rule::saturate), 0xfeU);
  EXPECT_EQ(encode(INFINITY, e5m2, rounding_mode::to_nearest_even, overflow_rule::saturate), 0x7bU);
  EXPECT_EQ(encode(-100, e2m1), 0xfU);
  EXPECT_EQ(encode(NAN, e2m1), 0x7U);
  EXPECT_EQ(encode(NAN, e4m3), 0x7fU);
  EXPECT_EQ(encode(NAN, tf32), 0x7fffe000U);
  EXPECT_EQ(encode(0, ue8m0), 0U) << "2^-127, the smallest number";
  EXPECT_EQ(encode(300, s8), 0x7fU);
  EXPECT_EQ(encode(-1, u8), 0U);
  EXPECT_EQ(encode(NAN, s8), 0U);
  EXPECT_EQ(encode(2.5, s8), 2U);
  EXPECT_EQ(encode(-2.7, s8, rounding_mode::toward_zero), 0xfeU);
}

TEST(number_format, ignores_the_sign_position_of_ue4m3) {
  EXPECT_EQ(value_of(0xb8, ue4m3), 1.0);
  EXPECT_TRUE(std::isnan(value_of(0xff, ue4m3)));
  const unsigned codes[] = {0x01, 0x08, 0x38, 0x40, 0x7e};
  const double values[] = {std::ldexp(1, -9), std::ldexp(1, -6), 1, 2, 448};
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(value_of(codes[i], ue4m3), values[i]);
}

TEST(number_format, packs_f64_low_word_first) {
  std::uint32_t row[4] = {};
  set_packed_element(row, 1, f64, 0x3ff0000012345678);
  EXPECT_EQ(row[2], 0x12345678U);
  EXPECT_EQ(row[3], 0x3ff00000U);
  EXPECT_EQ(packed_element(row, 1, f64), 0x3ff0000012345678U);
  EXPECT_EQ(words_for(3, f64), 6U);
  EXPECT_EQ(words_for(9, e2m1), 2U);
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
  EXPECT_EQ(all_number_formats().size(), 18U);
  try {
    find_number_format("f17");
    FAIL();
  } catch (const std::invalid_argument& error) {
    for (const number_format& format : all_number_formats())
      EXPECT_NE(std::string_view(error.what()).find(format.name), std::string_view::npos) << format.name;
  }
}

}  // namespace
}  // namespace tc::numerics::number_format_test
