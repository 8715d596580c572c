// SPDX-License-Identifier: Apache-2.0
#include <initializer_list>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/numerics/dot_product.hpp>

namespace tc::numerics::integer_dot_product_test {
namespace {

using op = dot_product_operation;

std::vector<std::uint32_t> filled_row(const number_format& format, unsigned k, std::uint32_t element) {
  std::vector<std::uint32_t> row(k / format.elements_per_word());
  for (unsigned i = 0; i < k; ++i) set_packed_element(row.data(), i, format, element);
  return row;
}

/// c + k x (a x b), all elements of a row alike.
std::int32_t uniform_dot(const number_format& a, const number_format& b, unsigned k, int a_value, int b_value, std::int32_t c = 0,
                         op operation = op::integer_wrap) {
  const auto row_a = filled_row(a, k, static_cast<std::uint32_t>(a_value)), row_b = filled_row(b, k, static_cast<std::uint32_t>(b_value));
  const dot_product dot({a, b, s32, operation});
  return static_cast<std::int32_t>(dot(row_a.data(), row_b.data(), k, static_cast<std::uint32_t>(c)));
}

constexpr std::int32_t largest = 2147483647, smallest = -largest - 1;

TEST(integer_dot_product, wraps_or_saturates_after_the_addend) {
  const std::uint32_t one = 1;
  EXPECT_EQ(dot_product({s8, s8, s32, op::integer_wrap})(&one, &one, 4, 0x7fffffff), 0x80000000u);
  EXPECT_EQ(dot_product({s8, s8, s32, op::integer_saturate})(&one, &one, 4, 0x7fffffff), 0x7fffffffu);
  EXPECT_EQ(uniform_dot(s8, s8, 4, 64, -64, smallest), 2147467264);
  EXPECT_EQ(uniform_dot(s8, s8, 4, 64, -64, smallest, op::integer_saturate), smallest);
}

TEST(integer_dot_product, saturates_only_the_final_sum) {
  const std::uint32_t a = 0x0000ff01, b = 0x00000101;  // 1 - 1: a partial sum exceeds the range, the sum does not
  EXPECT_EQ(dot_product({s8, s8, s32, op::integer_saturate})(&a, &b, 4, 0x7fffffff), 0x7fffffffu);
  EXPECT_EQ(dot_product({s8, s8, s32, op::integer_saturate})(&a, &b, 4, 0x80000000), 0x80000000u);
}

TEST(integer_dot_product, multiplies_8_bit_extremes) {
  EXPECT_EQ(uniform_dot(s8, s8, 16, -128, -128), 262144);
  EXPECT_EQ(uniform_dot(u8, u8, 16, 255, 255), 1040400);
  EXPECT_EQ(uniform_dot(s8, u8, 16, -128, 255), -522240);
  EXPECT_EQ(uniform_dot(u8, s8, 16, 255, -128), -522240);
}

TEST(integer_dot_product, multiplies_4_bit_extremes) {
  EXPECT_EQ(uniform_dot(s4, s4, 32, -8, -8), 2048);
  EXPECT_EQ(uniform_dot(u4, u4, 32, 15, 15), 7200);
  EXPECT_EQ(uniform_dot(s4, u4, 32, -8, 15), -3840);
  EXPECT_EQ(uniform_dot(u4, s4, 32, 15, -8), -3840);
}

TEST(binary_dot_product, counts_the_combined_ones) {
  const std::vector<std::uint32_t> a(4, 0xdeadbeef), b(4, 0x0f0f0f0f);
  EXPECT_EQ(dot_product({b1, b1, s32, op::binary_xor})(a.data(), b.data(), 128, 0), 56u);
  EXPECT_EQ(dot_product({b1, b1, s32, op::binary_and})(a.data(), b.data(), 128, 0), 52u);
  EXPECT_EQ(dot_product({b1, b1, s32, op::binary_and})(a.data(), b.data(), 128, 0xfffffff0), 36u);
}

TEST(binary_dot_product, ignores_bits_behind_the_row) {
  const std::vector<std::uint32_t> a(2, 0xffffffff), b(2, 0);
  EXPECT_EQ(dot_product({b1, b1, s32, op::binary_xor})(a.data(), b.data(), 40, 0), 40u);
}

}  // namespace
}  // namespace tc::numerics::integer_dot_product_test
