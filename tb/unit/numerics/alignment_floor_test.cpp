// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/numerics/matrix_product.hpp>

#include "datapaths.hpp"

namespace tc::numerics::test::alignment_floor_test {
namespace {

using factors = std::pair<double, double>;

/// Products whose terms are so small that the floor of the alignment decides, as Hopper has them: in all instructions.
struct tiny_sum {
  number_format format, accumulator;

  /// Bits of c + sum of the products in a row of k elements. Every path of the library must give the same.
  std::uint64_t operator()(const std::vector<factors>& products, double c = 0, unsigned k = 16) const {
    const dot_product unit = unit_of(hopper.alignment_floor);
    std::vector<std::uint32_t> a(words_for(k, format)), b(a);
    for (std::size_t i = 0; i < products.size(); ++i) {
      set_packed_element(a.data(), i, format, encode(products[i].first, format));
      set_packed_element(b.data(), i, format, encode(products[i].second, format));
    }
    const std::uint64_t addend = encode(c, accumulator), result = unit(a.data(), b.data(), k, addend);
    for (const instruction_set set : instruction_sets()) {
      const auto word = static_cast<std::uint32_t>(addend);
      std::uint32_t d = 0;
      matrix_product{unit, set}({1, 1, k, a.data(), b.data(), &word, &d});
      EXPECT_EQ(d, result) << name(set);
    }
    return result;
  }

  dot_product unit_of(unsigned floor) const {
    dot_product_parameters parameters = f16_dot_product(hopper, accumulator).parameters();
    parameters.group_length = format == tf32 ? 8 : 16;
    parameters.alignment_floor = floor;
    return dot_product({format, format, accumulator}, parameters);
  }
};

// Results of mma.sync recorded on an H200. With 25 fraction bits below an exponent of -133, terms are cut to multiples of 2^-158.
TEST(alignment_floor, of_f32_sums_is_7_below_the_smallest_normal_number) {
  for (const number_format& format : {bf16, tf32}) {
    const tiny_sum sum{format, f32};
    EXPECT_EQ(sum({{0x1p-75, 0x1p-74}, {-0x1p-79, 0x1p-79}}), 0u) << format.name << ": 2^-149 - 2^-158";
    EXPECT_EQ(sum({{0x1p-75, 0x1p-74}, {-0x1p-80, 0x1p-79}}), 1u) << format.name << ": 2^-149 - 2^-159";
    EXPECT_EQ(sum({{0x1p-75, 0x1p-74}, {-0x1p-79, 0x1p-79}}, 0, 8), 0u) << format.name << ", k 8";
    EXPECT_EQ(sum({{0x1p-75, 0x1p-74}, {-0x1p-80, 0x1p-79}}, 0, 8), 1u) << format.name << ", k 8";
  }
}

TEST(alignment_floor, leaves_subnormal_addends_the_smallest_normal_exponent) {
  const tiny_sum sum{bf16, f32};
  EXPECT_EQ(sum({{-0x1p-76, 0x1p-75}}, 0x1p-149), 0u) << "2^-149 - 2^-151, the last bit below -126";
  EXPECT_EQ(sum({{-0x1p-76, 0x1p-76}}, 0x1p-149), 1u) << "2^-149 - 2^-152";
}

// Below an exponent of -21, terms are cut to multiples of 2^-46; results are rounded to nearest even.
TEST(alignment_floor, of_f16_sums_is_7_below_the_smallest_normal_number) {
  const tiny_sum sum{f16, f16};
  for (const unsigned k : {8u, 16u}) {
    EXPECT_EQ(sum({{0x1p-12, 0x1p-13}, {0x1p-23, 0x1p-23}}, 0, k), 1u) << "2^-25 + 2^-46";
    EXPECT_EQ(sum({{0x1p-12, 0x1p-13}, {0x1p-24, 0x1p-23}}, 0, k), 0u) << "2^-25 + 2^-47";
    EXPECT_EQ(sum({{3 * 0x1p-12, 0x1p-13}, {-0x1p-23, 0x1p-23}}, 0, k), 1u) << "3 x 2^-25 - 2^-46";
    EXPECT_EQ(sum({{3 * 0x1p-12, 0x1p-13}, {-0x1p-24, 0x1p-23}}, 0, k), 2u) << "3 x 2^-25 - 2^-47";
    EXPECT_EQ(sum({{0x1p-13, 0x1p-13}, {0x1p-13, 0x1p-13}, {0x1p-23, 0x1p-23}}, 0, k), 1u) << "2^-26 + 2^-26 + 2^-46";
  }
}

TEST(alignment_floor, does_not_limit_products_with_larger_exponents) {
  const tiny_sum sum{f16, f16};
  // The exponent of 2^-24, a subnormal number, is -14: that of the product is -15.
  EXPECT_EQ(sum({{0x1p-24, 0x1p-1}, {0x1p-20, 0x1p-20}}), 1u) << "2^-25 + 2^-40";
  EXPECT_EQ(sum({{0x1p-24, 0x1p-1}, {0x1p-21, 0x1p-20}}), 0u) << "2^-25 + 2^-41";
}

TEST(alignment_floor, holds_for_block_scaled_sums) {
  const auto tiny = [](int scale_of_second, unsigned floor) {
    dot_product_parameters parameters;
    parameters.group_length = 64;
    parameters.products_per_term = 16;
    parameters.alignment_fraction_bits = 35;
    parameters.alignment_floor = floor;
    const dot_product unit({e2m1, e2m1, f32, dot_product_operation::float_sum, block_scaling{ue8m0, 32}}, parameters);
    const std::uint32_t one = static_cast<std::uint32_t>(encode(1, e2m1)), minus_one = static_cast<std::uint32_t>(encode(-1, e2m1));
    const std::uint32_t a[8] = {one, 0, 0, 0, minus_one}, b[8] = {one, 0, 0, 0, one};
    const auto scale = [](int exponent) { return static_cast<std::uint32_t>(exponent + ue8m0.bias); };
    const std::uint32_t scale_a = scale(-75) | scale(scale_of_second + 100) << 8, scale_b = scale(-74) | scale(-100) << 8;
    return unit(a, b, &scale_a, &scale_b, 64, 0);
  };
  EXPECT_EQ(tiny(-174, 13), 0u) << "2^-149 - 2^-174, the last bit below -139";
  EXPECT_EQ(tiny(-175, 13), 1u) << "2^-149 - 2^-175";
  EXPECT_EQ(tiny(-175, 14), 0u);
}

TEST(alignment_floor, can_be_as_good_as_none) {
  const tiny_sum sum{bf16, f32};
  const std::uint32_t a[8] = {static_cast<std::uint32_t>(encode(0x1p-75, bf16) | encode(-0x1p-87, bf16) << 16)},
                      b[8] = {static_cast<std::uint32_t>(encode(0x1p-74, bf16) | encode(0x1p-87, bf16) << 16)};
  EXPECT_EQ(sum.unit_of(maximum_alignment_floor)(a, b, 16, 0), 0u) << "2^-149 - 2^-174, the last bit below -149";
  EXPECT_EQ(sum.unit_of(22)(a, b, 16, 0), 1u);
  EXPECT_EQ(sum.unit_of(23)(a, b, 16, 0), 0u);
  EXPECT_THROW(sum.unit_of(maximum_alignment_floor + 1), std::invalid_argument);
}

}  // namespace
}  // namespace tc::numerics::test::alignment_floor_test
