// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tc/numerics/dot_product.hpp>

#include "datapaths.hpp"

namespace tc::numerics::test::fused_dot_product_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double two_to(int exponent) { return std::ldexp(1.0, exponent); }

/// Products of two f16 numbers, at chosen places of a row of 16; the others are zero.
class products {
 public:
  void set(unsigned k, double a, double b) {
    set_packed_element(a_, k, f16, encode(a, f16));
    set_packed_element(b_, k, f16, encode(b, f16));
  }
  /// A product of that value, a signed power of two or a number f16 holds.
  void set(unsigned k, double value) {
    int exponent = 0;
    const double significand = 2 * std::frexp(value, &exponent);
    const int half = (exponent - 1) / 2;
    set(k, std::ldexp(significand, half), two_to(exponent - 1 - half));
  }

  std::uint64_t bits(const dot_product& dot, std::uint64_t c, unsigned k = 16) const { return dot(a_, b_, k, c); }
  double sum(const architecture& gpu, double c, const number_format& accumulator = f32) const {
    return value_of(bits(f16_dot_product(gpu, accumulator), encode(c, accumulator)), accumulator);
  }

 private:
  std::uint32_t a_[8] = {}, b_[8] = {};
};

products first_products(std::initializer_list<double> values) {
  products p;
  unsigned k = 0;
  for (const double value : values) p.set(k++, value);
  return p;
}

products sixteen(double value) {
  products p;
  for (unsigned k = 0; k < 16; ++k) p.set(k, value);
  return p;
}

TEST(fused_dot_product, truncates_what_is_far_below_the_largest_product) {
  const products p = first_products({two_to(30), -two_to(30), two_to(-14)});
  for (const architecture& gpu : all_architectures) EXPECT_EQ(p.bits(f16_dot_product(gpu), 0), 0u) << gpu.name;
}

TEST(fused_dot_product, keeps_the_fraction_bits_of_the_architecture) {
  for (const architecture& gpu : all_architectures) {
    const int smallest_kept = 30 - static_cast<int>(gpu.alignment_fraction_bits);
    for (int n = 0; n < 15; ++n) {
      const double expected = n >= smallest_kept ? two_to(n) : 0;
      EXPECT_EQ(first_products({two_to(30), -two_to(30), two_to(n)}).sum(gpu, 0), expected) << gpu.name << " 2^" << n;
    }
  }
}

TEST(fused_dot_product, rounds_between_groups) {
  products cancelled_first;  // Volta's first group gives zero, and the second starts from it
  cancelled_first.set(0, -two_to(30));
  cancelled_first.set(4, 1);
  EXPECT_EQ(cancelled_first.sum(volta, two_to(30)), 1);
  EXPECT_EQ(cancelled_first.sum(turing, two_to(30)), 0);
  EXPECT_EQ(cancelled_first.sum(hopper, two_to(30)), 0);

  products cancelled_last, addend_lost;
  cancelled_last.set(0, 1);
  cancelled_last.set(4, -two_to(30));
  addend_lost.set(0, two_to(30));
  addend_lost.set(4, -two_to(30));
  for (const architecture& gpu : all_architectures) {
    EXPECT_EQ(cancelled_last.sum(gpu, two_to(30)), 0) << gpu.name;
    EXPECT_EQ(addend_lost.sum(gpu, 1), 0) << gpu.name;
  }
}

TEST(fused_dot_product, adds_small_products_to_a_large_addend) {
  EXPECT_EQ(sixteen(two_to(-24)).sum(volta, 1), 1);
  EXPECT_EQ(sixteen(1).sum(volta, two_to(24)), two_to(24));
  for (const architecture& gpu : from_turing_on) {
    EXPECT_EQ(sixteen(two_to(-24)).sum(gpu, 1), 1 + two_to(-20)) << gpu.name;
    EXPECT_EQ(sixteen(1).sum(gpu, two_to(24)), 16777232) << gpu.name;
  }
  const products four = first_products({two_to(-24), two_to(-24), two_to(-24), two_to(-24)});
  for (const architecture& gpu : all_architectures) EXPECT_EQ(four.sum(gpu, 1 - two_to(-24)), 1 + two_to(-23)) << gpu.name;
}

TEST(fused_dot_product, aligns_the_addend_like_a_product) {
  const products one = first_products({1});
  EXPECT_EQ(one.sum(volta, -(1 - two_to(-24))), two_to(-23));
  for (const architecture& gpu : from_turing_on) EXPECT_EQ(one.sum(gpu, -(1 - two_to(-24))), two_to(-24)) << gpu.name;
}

TEST(fused_dot_product, loses_small_terms_beside_a_large_one_in_its_group) {
  products one_first = sixteen(two_to(-24)), one_last = one_first;
  one_first.set(0, 1);
  one_last.set(15, 1);
  EXPECT_EQ(one_first.sum(volta, 0), 1);
  EXPECT_EQ(one_last.sum(volta, 0), 1 + 6 * two_to(-23));
  EXPECT_EQ(one_first.sum(turing, 0), 1 + 7 * two_to(-23));
  EXPECT_EQ(one_last.sum(turing, 0), 1 + 7 * two_to(-23));
}

TEST(fused_dot_product, rounds_f32_toward_zero) {
  for (const architecture& gpu : all_architectures) {
    EXPECT_EQ(first_products({1, two_to(-23), two_to(-24)}).sum(gpu, 0), 1 + two_to(-23)) << gpu.name;
    EXPECT_EQ(first_products({-1, -two_to(-23), -two_to(-24)}).sum(gpu, 0), -1 - two_to(-23)) << gpu.name;
    EXPECT_EQ(first_products({1, 1, two_to(-23), two_to(-24)}).sum(gpu, 0), 2) << gpu.name;
  }
}

TEST(fused_dot_product, rounds_f16_to_nearest_even) {
  for (const architecture& gpu : all_architectures) {
    EXPECT_EQ(first_products({1, two_to(-11)}).sum(gpu, 0, f16), 1) << gpu.name;
    EXPECT_EQ(first_products({1, two_to(-10), two_to(-11)}).sum(gpu, 0, f16), 1 + two_to(-9)) << gpu.name;
    EXPECT_EQ(first_products({1, two_to(-11), two_to(-20)}).sum(gpu, 0, f16), 1 + two_to(-10)) << gpu.name;
    EXPECT_EQ(first_products({65504, 16}).sum(gpu, 0, f16), infinity) << gpu.name;
    EXPECT_EQ(first_products({65504, 15}).sum(gpu, 0, f16), 65504) << gpu.name;
  }
}

TEST(fused_dot_product, keeps_25_fraction_bits_beside_an_addend) {
  for (const architecture& gpu : {hopper, blackwell}) {
    EXPECT_EQ(first_products({-1, two_to(-25)}).sum(gpu, 1), two_to(-25)) << gpu.name;
    EXPECT_EQ(first_products({-1, two_to(-26)}).sum(gpu, 1), 0) << gpu.name;
    EXPECT_EQ(first_products({-two_to(-26)}).sum(gpu, 1), 1) << gpu.name;
    EXPECT_EQ(first_products({-two_to(-25)}).sum(gpu, 1), 1 - two_to(-24)) << gpu.name << ": the difference is truncated";
    EXPECT_EQ(sixteen(1).sum(gpu, two_to(26)), two_to(26)) << gpu.name << ": each 1 is below the last kept bit";
    EXPECT_EQ(sixteen(1).sum(gpu, two_to(24)), two_to(24) + 16) << gpu.name;
    EXPECT_EQ(first_products({two_to(30), 1, -two_to(30)}).sum(gpu, 0), 0) << gpu.name;
    EXPECT_EQ(first_products({two_to(24), 1, -two_to(24)}).sum(gpu, 0), 1) << gpu.name;
  }
}

TEST(fused_dot_product, does_not_normalise_products) {
  for (const architecture& gpu : {hopper, blackwell}) {
    products p;
    p.set(0, 1.5, 1.5);
    p.set(1, -1.5, 1.5);
    p.set(2, two_to(-25));
    EXPECT_EQ(p.sum(gpu, 0), two_to(-25)) << gpu.name << ": 2.25 counts with exponent 0";
    p.set(2, two_to(-26));
    EXPECT_EQ(p.sum(gpu, 0), 0) << gpu.name;
  }
}

TEST(fused_dot_product, passes_a_subnormal_addend_beside_zero_products) {
  for (const architecture& gpu : all_architectures) EXPECT_EQ(products().bits(f16_dot_product(gpu), 1), 1u) << gpu.name;
  dot_product_parameters parameters = f16_dot_product(volta).parameters();
  parameters.flush_subnormals = true;
  const dot_product flushing({f16, f16, f32}, parameters);
  EXPECT_EQ(products().bits(flushing, 1), 0u);
  EXPECT_EQ(products().bits(flushing, 0x00800000), 0x00800000u);
}

TEST(fused_dot_product, truncates_small_addends_at_the_exponent_of_unnormalised_products) {
  const products smallest = first_products({two_to(-28)});
  EXPECT_EQ(smallest.sum(volta, two_to(-51)), two_to(-28) + two_to(-51));
  EXPECT_EQ(smallest.sum(volta, two_to(-52)), two_to(-28));

  products above_two;  // 2.25 keeps the exponent 0 of its factors
  above_two.set(0, 1.5, 1.5);
  EXPECT_EQ(above_two.sum(volta, two_to(-22)), 2.25 + two_to(-22));
  EXPECT_EQ(above_two.sum(volta, two_to(-23)), 2.25);
}

TEST(fused_dot_product, rounds_an_f16_accumulator_after_every_group) {
  products p;
  for (const unsigned k : {0u, 4u, 8u, 12u}) p.set(k, 1);
  EXPECT_EQ(p.sum(volta, 2048, f16), 2048);
  for (const architecture& gpu : from_turing_on) EXPECT_EQ(p.sum(gpu, 2048, f16), 2052) << gpu.name;
}

/// Rows on which the architectures differ.
constexpr std::uint32_t telling_a[] = {0xcc623934, 0xc87644c0, 0xbc8f24b0, 0xc8fdab65, 0xa5c44c7e, 0xbd274510, 0x2980ca77, 0x49a5a880};
constexpr std::uint32_t telling_b[] = {0x43a04f6b, 0xd1f3b5fc, 0x3b974a66, 0xc758c895, 0xc35fd6bc, 0x3acd4c9e, 0x2a28cba6, 0x527ad085};

TEST(fused_dot_product, tells_the_architectures_apart) {
  const auto result = [](const architecture& gpu) { return f16_dot_product(gpu)(telling_a, telling_b, 16, 0x420db400); };
  EXPECT_EQ(result(volta), 0xc40fff86u);
  EXPECT_EQ(result(turing), 0xc40fff83u);
  EXPECT_EQ(result(ampere), 0xc40fff83u);
  EXPECT_EQ(result(hopper), 0xc40fff81u);
  for (const architecture& gpu : all_architectures)
    EXPECT_EQ(f16_dot_product(gpu, f16)(telling_a, telling_b, 16, 0x506e), 0xe080u) << gpu.name;
}

TEST(fused_dot_product, does_not_depend_on_the_order_within_a_group) {
  std::mt19937 random(1);
  std::vector<unsigned> order(16);
  for (unsigned i = 0; i < 16; ++i) order[i] = i;
  const dot_product dot = f16_dot_product(hopper);
  const std::uint64_t expected = dot(telling_a, telling_b, 16, 0x420db400);
  for (int i = 0; i < 1000; ++i) {
    std::shuffle(order.begin(), order.end(), random);
    std::uint32_t a[8], b[8];
    for (unsigned k = 0; k < 16; ++k) {
      set_packed_element(a, k, f16, packed_element(telling_a, order[k], f16));
      set_packed_element(b, k, f16, packed_element(telling_b, order[k], f16));
    }
    ASSERT_EQ(dot(a, b, 16, 0x420db400), expected);
  }
}

TEST(fused_dot_product, zero_products_take_no_part_in_the_alignment) {
  products p = first_products({two_to(-14)});
  p.set(1, 65504, 0);
  p.set(2, 0, -65504);
  for (const architecture& gpu : all_architectures) EXPECT_EQ(p.sum(gpu, two_to(-30)), two_to(-14) + two_to(-30)) << gpu.name;
  dot_product_parameters parameters;
  parameters.align_to_zeros = true;
  const dot_product aligning({f16, f16, f32}, parameters);
  EXPECT_EQ(p.bits(aligning, encode(two_to(-30), f32)), encode(two_to(-14), f32)) << "65504 x 0 has exponent 15 - 14, the unit is 2^-24";
}

TEST(fused_dot_product, zero_is_positive) {
  for (const architecture& gpu : all_architectures) {
    EXPECT_EQ(products().bits(f16_dot_product(gpu), 0x80000000), 0u) << gpu.name;
    EXPECT_EQ(first_products({-1}).bits(f16_dot_product(gpu), 0x3f800000), 0u) << gpu.name;
  }
  const products underflow = first_products({-two_to(-28)});
  EXPECT_EQ(underflow.bits(f16_dot_product(hopper, f16), 0), 0u);
}

TEST(fused_dot_product, infinity_wins_and_contradictions_are_nan) {
  const dot_product to_f32 = f16_dot_product(hopper), to_f16 = f16_dot_product(hopper, f16);
  products infinite, undefined, contradictory;
  infinite.set(3, -infinity, 2);
  infinite.set(4, 65504, 65504);
  undefined.set(3, infinity, 0);
  contradictory.set(3, infinity, 1);
  contradictory.set(4, infinity, -1);
  EXPECT_EQ(infinite.bits(to_f32, 0), 0xff800000u);
  EXPECT_EQ(infinite.bits(to_f16, 0), 0xfc00u);
  EXPECT_EQ(infinite.bits(to_f32, 0x7f800000), 0x7fffffffu);
  EXPECT_EQ(undefined.bits(to_f32, 0), 0x7fffffffu);
  EXPECT_EQ(undefined.bits(to_f16, 0), 0x7fffu);
  EXPECT_EQ(contradictory.bits(to_f32, 0), 0x7fffffffu);
  EXPECT_EQ(products().bits(to_f32, 0xffc12345), 0x7fffffffu);
  EXPECT_EQ(products().bits(to_f32, 0xff800000), 0xff800000u);
}

TEST(fused_dot_product, f32_overflow_gives_infinity) {
  const std::uint32_t largest = 0x7f00, two = 0x4000, minus_two = 0xc000;  // 2^127, 2, -2
  const dot_product dot({bf16, bf16, f32});
  EXPECT_EQ(dot(&largest, &two, 1, 0), 0x7f800000u);
  EXPECT_EQ(dot(&largest, &minus_two, 1, 0), 0xff800000u);
}

TEST(fused_dot_product, group_length_need_not_fit_words_or_rows) {
  dot_product_parameters parameters;
  parameters.group_length = 3;
  const dot_product by_threes({f16, f16, f32}, parameters);
  EXPECT_EQ(sixteen(1).bits(by_threes, 0), encode(16, f32));
  EXPECT_EQ(sixteen(1).bits(by_threes, 0, 7), encode(7, f32));
  const std::vector<std::uint32_t> ones(150, 0x3c003c00);
  parameters.group_length = maximum_group_length;
  parameters.alignment_fraction_bits = maximum_alignment_bits;
  const dot_product longest({f16, f16, f32}, parameters);
  EXPECT_EQ(longest(ones.data(), ones.data(), 300, 0), encode(300, f32));
}

}  // namespace
}  // namespace tc::numerics::test::fused_dot_product_test
