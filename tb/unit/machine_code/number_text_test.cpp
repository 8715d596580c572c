// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/machine_code/number_text.hpp>

namespace number_text_test {

using namespace tc::machine_code;

std::string f32(std::uint32_t bits) {
  std::string text;
  add_f32(text, bits);
  return text;
}

std::string f64(std::uint32_t bits) {
  std::string text;
  add_f64(text, bits);
  return text;
}

std::string f16(std::uint16_t bits) {
  std::string text;
  add_f16(text, bits);
  return text;
}

TEST(number_text, has_twenty_digits_and_an_exponent_from_a_thousand_million_on) {
  EXPECT_EQ(f32(0x3f000000), "0.5");
  EXPECT_EQ(f32(0x3fb8aa3b), "1.4426950216293334961");
  EXPECT_EQ(f32(0x4b800000), "16777216");
  EXPECT_EQ(f32(0x4f000000), "2.14748364800000000000e+09");
  EXPECT_EQ(f32(0x5f800000), "1.84467440737095516160e+19");
  EXPECT_EQ(f64(0x43380000), "6.75539944105574400000e+15");
  EXPECT_EQ(f64(0x00100000), "2.2250738585072013831e-308");
  EXPECT_EQ(f16(0xfbff), "-65504");
  EXPECT_EQ(f16(0x0001), "5.9604644775390625e-08");
}

TEST(number_text, names_what_is_no_number) {
  EXPECT_EQ(f32(0x7f800000), "+INF ");
  EXPECT_EQ(f64(0xfff00000), "-INF ");
  EXPECT_EQ(f32(0xffc00000), "-QNAN ");
  EXPECT_EQ(f16(0x7fff), "+QNAN ");
  EXPECT_EQ(f16(0x8000), "-0.0 ");
  EXPECT_EQ(f32(0), "0");
}

TEST(number_text, writes_the_sign_before_hexadecimal_digits) {
  std::string text;
  add_signed(text, -31);
  add_hexadecimal(text, 0xffffffff);
  EXPECT_EQ(text, "-0x1f0xffffffff");
}

}  // namespace number_text_test
