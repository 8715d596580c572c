// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/numerics/number_text.hpp>

namespace tc::numerics::number_text_test {
namespace {

TEST(number_text, writes_all_digits_of_the_storage) {
  EXPECT_EQ(hex_text(0x3c00, f16), "0x3c00");
  EXPECT_EQ(hex_text(0x1, f32), "0x00000001");
  EXPECT_EQ(hex_text(0x3ff0000000000000, f64), "0x3ff0000000000000");
  EXPECT_EQ(hex_text(0x7, e2m1), "0x7");
  EXPECT_EQ(hex_text(1, b1), "0x1");
}

TEST(number_text, writes_the_shortest_decimal) {
  EXPECT_EQ(decimal_text(0x3c00, f16), "1");
  EXPECT_EQ(decimal_text(0x8000, f16), "-0");
  EXPECT_EQ(decimal_text(0x7bff, f16), "65504");
  EXPECT_EQ(decimal_text(0x3dcccccd, f32), "0.1");
  EXPECT_EQ(decimal_text(0x1, f32), "1e-45");
  EXPECT_EQ(decimal_text(0x3fb999999999999a, f64), "0.1");
  EXPECT_EQ(decimal_text(0x7e, e4m3), "448");
  EXPECT_EQ(decimal_text(0x82, ue8m0), "8");
  EXPECT_EQ(decimal_text(0xff, s8), "-1");
}

TEST(number_text, names_what_is_no_number) {
  EXPECT_EQ(decimal_text(0x7c00, f16), "inf");
  EXPECT_EQ(decimal_text(0xff800000, f32), "-inf");
  EXPECT_EQ(decimal_text(0xff, ue8m0), "nan");
  EXPECT_EQ(decimal_text(0xff, e4m3), "nan");
}

}  // namespace
}  // namespace tc::numerics::number_text_test
