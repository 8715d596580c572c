// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>

#include <gtest/gtest.h>

#include <tc/numerics/dot_product.hpp>

namespace tc::numerics::scaled_dot_product_test {
namespace {

constexpr std::uint32_t nan_pattern = 0x7fffffff, f32_infinity = 0x7f800000;

/// A row of A and a column of B, all elements alike, with their scales.
struct scaled_rows {
  scaled_rows(const dot_product& unit, unsigned elements) : dot(unit), k(elements) {}

  void fill(double a_value, double b_value) { fill(a_value, b_value, 0, k); }
  void fill(double a_value, double b_value, unsigned first, unsigned count) {
    for (unsigned i = first; i < first + count; ++i) {
      set_packed_element(a.data(), i, dot.types().a, encode(a_value, dot.types().a));
      set_packed_element(b.data(), i, dot.types().b, encode(b_value, dot.types().b));
    }
  }
  void scales(std::initializer_list<unsigned> of_a, std::initializer_list<unsigned> of_b) {
    unsigned i = 0;
    for (const unsigned scale : of_a) set_packed_element(scale_a.data(), i++, ue8m0, scale);
    i = 0;
    for (const unsigned scale : of_b) set_packed_element(scale_b.data(), i++, ue8m0, scale);
  }
  std::uint64_t sum(std::uint64_t c = 0) const { return dot(a.data(), b.data(), scale_a.data(), scale_b.data(), k, c); }
  double value(double c = 0) const { return value_of(sum(encode(c, f32)), f32); }

  dot_product dot;
  unsigned k;
  std::array<std::uint32_t, 16> a{}, b{};
  std::array<std::uint32_t, 1> scale_a{}, scale_b{};
};

/// Blackwell's block-scaled sums (MMA-Sim, arXiv 2511.10909): of 8 bits and fewer with 25 fraction bits, of 4 bits with 35 and 16 products
/// a term.
scaled_rows mxf8f6f4(const number_format& a, const number_format& b) {
  dot_product_parameters parameters;
  parameters.group_length = 32;
  return {dot_product({a, b, f32, dot_product_operation::float_sum, block_scaling{ue8m0, 32}}, parameters), 32};
}

scaled_rows mxf4(const number_format& scale, unsigned block_length) {
  dot_product_parameters parameters;
  parameters.group_length = 64;
  parameters.products_per_term = 16;
  parameters.alignment_fraction_bits = 35;
  return {dot_product({e2m1, e2m1, f32, dot_product_operation::float_sum, block_scaling{scale, block_length}}, parameters), 64};
}

TEST(scaled_dot_product, scales_blocks_of_4_bit_elements) {
  scaled_rows rows = mxf4(ue8m0, 32);
  rows.fill(6, 0.5);
  rows.scales({128, 128}, {125, 125});
  EXPECT_EQ(rows.sum(), 0x42c00000U) << "64 x 3 x 0.5 = 96";
  rows.scales({128, 127}, {125, 127});
  EXPECT_EQ(rows.sum(), 0x43100000U) << "48 + 96";
}

TEST(scaled_dot_product, truncates_4_bit_terms_to_35_fraction_bits) {
  scaled_rows rows = mxf4(ue8m0, 32);
  rows.fill(-1, 1, 0, 1);
  rows.fill(1, 1, 32, 1);
  rows.scales({127, 127 - 35}, {127, 127});
  EXPECT_EQ(rows.sum(0x3f800000), 0x2e000000U) << "1 - 1 + 2^-35";
  rows.scales({127, 127 - 36}, {127, 127});
  EXPECT_EQ(rows.sum(0x3f800000), 0U);
}

TEST(scaled_dot_product, multiplies_the_significands_of_ue4m3_scales) {
  scaled_rows rows = mxf4(ue4m3, 16);
  rows.fill(1, 1.5);
  rows.scales({0x38, 0x40, 0x34, 0x7e}, {0x38, 0x38, 0x40, 0x01});
  EXPECT_EQ(rows.value(), 24 + 48 + 36 + 21);
  EXPECT_EQ(rows.sum(0x41200000), 0x430b0000U) << "139";
  rows.scales({0xb8, 0xc0, 0xb4, 0xfe}, {0x38, 0x38, 0x40, 0x01});
  EXPECT_EQ(rows.value(10), 139) << "the sign position of a scale is ignored";
}

TEST(scaled_dot_product, adds_the_exponents_of_8_bit_scales) {
  scaled_rows rows = mxf8f6f4(e4m3, e4m3);
  rows.fill(2, 3);
  rows.scales({130}, {126});
  EXPECT_EQ(rows.sum(0x40a00000), 0x44414000U) << "32 x 6 x 8 / 2 + 5 = 773";
}

TEST(scaled_dot_product, aligns_to_the_exponents_of_scaled_products) {
  scaled_rows rows = mxf8f6f4(e5m2, e2m1);
  rows.fill(1, 1, 0, 1);
  rows.scales({127 + 20}, {127});
  EXPECT_EQ(rows.value(std::ldexp(1, -3)), std::ldexp(1, 20) + std::ldexp(1, -3));
  rows.scales({127 + 100}, {127 - 75});
  EXPECT_EQ(rows.value(std::ldexp(1, 0)), std::ldexp(1, 25)) << "f32 has no bit for the addend";
  rows.fill(-1, 1, 1, 1);
  EXPECT_EQ(rows.value(1), 1) << "kept: 25 bits below the product";
  EXPECT_EQ(rows.value(0.5), 0);
}

TEST(scaled_dot_product, takes_e2m1_products_whose_signs_cancel) {
  scaled_rows rows = mxf4(ue8m0, 32);
  rows.fill(6, 6, 0, 8);
  rows.fill(6, -6, 8, 8);
  rows.fill(0.5, 0.5, 16, 1);
  rows.scales({127, 127}, {127, 127});
  EXPECT_EQ(rows.value(), 0.25) << "products of a term are added exactly";
}

TEST(scaled_dot_product, returns_nan_for_a_scale_that_is_nan) {
  scaled_rows rows = mxf4(ue8m0, 32);
  rows.scales({127, 255}, {127, 127});
  EXPECT_EQ(rows.sum(), nan_pattern) << "also beside zeros";
  scaled_rows nvf4 = mxf4(ue4m3, 16);
  nvf4.fill(1, 1);
  nvf4.scales({0x38, 0x38, 0x38, 0x38}, {0x38, 0x38, 0x7f, 0x38});
  EXPECT_EQ(nvf4.sum(), nan_pattern);
}

TEST(scaled_dot_product, keeps_an_infinite_addend_unless_something_is_nan) {
  scaled_rows rows = mxf4(ue8m0, 32);
  rows.fill(6, 6);
  rows.scales({127, 127}, {127, 127});
  EXPECT_EQ(rows.sum(f32_infinity), f32_infinity);
  EXPECT_EQ(rows.sum(f32_infinity | 0x80000000), f32_infinity | 0x80000000);
  EXPECT_EQ(rows.sum(0x7f800001), nan_pattern);
  scaled_rows infinite = mxf8f6f4(e5m2, e5m2);
  infinite.fill(-INFINITY, 1, 3, 1);
  infinite.scales({0}, {0});
  EXPECT_EQ(infinite.sum(), f32_infinity | 0x80000000);
  EXPECT_EQ(infinite.sum(f32_infinity), nan_pattern);
}

TEST(scaled_dot_product, zero_terms_take_no_part_in_the_alignment) {
  scaled_rows rows = mxf4(ue8m0, 32);
  rows.fill(1, 1, 32, 1);
  rows.scales({254, 127}, {254, 127});
  EXPECT_EQ(rows.value(std::ldexp(1, -20)), 1 + std::ldexp(1, -20));
}

}  // namespace
}  // namespace tc::numerics::scaled_dot_product_test
