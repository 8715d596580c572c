// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include <tc/numerics/dot_product.hpp>

namespace tc::numerics::summation_test {
namespace {

constexpr rounding_rule nearest{rounding_mode::to_nearest_even, 23};

double two_to(int exponent) { return std::ldexp(1.0, exponent); }

/// f16 products of given numbers with 1, one after another, accumulated in f32.
class f16_row {
 public:
  explicit f16_row(const std::vector<double>& values)
      : k_(static_cast<unsigned>(values.size())), a_(words_for(k_, f16)), b_(words_for(k_, f16)) {
    for (unsigned i = 0; i < k_; ++i) {
      set_packed_element(a_.data(), i, f16, encode(values[i], f16));
      set_packed_element(b_.data(), i, f16, encode(1, f16));
    }
  }
  std::uint64_t bits(const dot_product_parameters& parameters, std::uint64_t c, const number_format& accumulator = f32) const {
    return dot_product({f16, f16, accumulator}, parameters)(a_.data(), b_.data(), k_, c);
  }
  double sum(const dot_product_parameters& parameters, double c, const number_format& accumulator = f32) const {
    return value_of(bits(parameters, encode(c, accumulator), accumulator), accumulator);
  }

 private:
  unsigned k_;
  std::vector<std::uint32_t> a_, b_;
};

dot_product_parameters with(summation order, unsigned group_length, rounding_rule rounding = nearest) {
  dot_product_parameters parameters;
  parameters.order = order;
  parameters.group_length = group_length;
  parameters.output_rounding = rounding;
  return parameters;
}

TEST(paired_groups, adds_sums_of_two_groups_to_the_addend) {
  const dot_product_parameters pairs = with(summation::paired_groups, 4);
  std::vector<double> values(16);
  values[0] = 1;
  values[4] = -1;
  EXPECT_EQ(f16_row(values).sum(pairs, two_to(24)), two_to(24)) << "T0 + T1 is zero before it meets C";
  values[4] = 1;
  EXPECT_EQ(f16_row(values).sum(pairs, two_to(24)), two_to(24) + 2);
  values[4] = 0;
  values[8] = 1;
  EXPECT_EQ(f16_row(values).sum(pairs, two_to(24)), two_to(24)) << "C + (T0 + T1) is rounded to even twice";
}

TEST(paired_groups, truncates_a_group_without_the_addend) {
  dot_product_parameters pairs = with(summation::paired_groups, 4);
  pairs.alignment_fraction_bits = 4;
  EXPECT_EQ(f16_row({1, two_to(-5)}).sum(pairs, 0), 1);
  EXPECT_EQ(f16_row({two_to(-5)}).sum(pairs, 1), 1 + two_to(-5)) << "C takes no part in the alignment";
}

TEST(paired_groups, has_no_zero_addend_beside_a_group) {
  dot_product_parameters pairs = with(summation::paired_groups, 4);
  pairs.align_to_zeros = true;
  pairs.alignment_fraction_bits = 4;
  const std::uint32_t a = static_cast<std::uint32_t>(encode(two_to(-20), bf16) | encode(two_to(-23), bf16) << 16),
                      b = static_cast<std::uint32_t>(encode(1, bf16) | encode(1, bf16) << 16);
  // An addend of zero has the exponent -14, which would cut both.
  EXPECT_EQ(dot_product({bf16, bf16, f16}, pairs)(&a, &b, 2, 0), encode(two_to(-20) + two_to(-23), f16));
}

TEST(paired_groups, adds_a_last_group_without_partner_alone) {
  EXPECT_EQ(f16_row(std::vector<double>(10, 1)).sum(with(summation::paired_groups, 4), 0.5), 10.5);
}

TEST(paired_groups, meets_infinities_like_ieee_754) {
  const dot_product_parameters pairs = with(summation::paired_groups, 1);
  EXPECT_EQ(f16_row({INFINITY, 1}).sum(pairs, 0), INFINITY);
  EXPECT_EQ(f16_row({INFINITY, -INFINITY}).bits(pairs, 0), 0x7fffffffU);
}

TEST(fma_chain, rounds_after_every_product) {
  const dot_product_parameters chain = with(summation::fma_chain, 1);
  EXPECT_EQ(f16_row({1, 1}).sum(chain, two_to(24)), two_to(24)) << "each 1 is half a unit, rounded to even";
  EXPECT_EQ(f16_row({two_to(-24), two_to(-24), 1}).sum(chain, 0), 1 + two_to(-23)) << "small ones first: their sum counts";
  EXPECT_EQ(f16_row({1, two_to(-24), two_to(-24)}).sum(chain, 0), 1);
}

TEST(fma_chain, agrees_with_the_host_in_f32) {
  const std::vector<double> values{3.14159, -2.71828, 1e-3, 65504, -65504, 5.96e-8, 0.333, -1.5};
  float expected = 0.1F;
  for (const double value : values) expected = std::fma(static_cast<float>(value_of(encode(value, f16), f16)), 1.0F, expected);
  EXPECT_EQ(f16_row(values).sum(with(summation::fma_chain, 1), 0.1F), static_cast<double>(expected));
}

TEST(fma_chain, keeps_the_sign_of_zero_and_overflows_as_its_rounding_says) {
  EXPECT_EQ(f16_row({-0.0}).bits(with(summation::fma_chain, 1), 0x80000000), 0x80000000U);
  EXPECT_EQ(f16_row({-1}).bits(with(summation::fma_chain, 1), 0x3f800000), 0U);
  const rounding_rule truncate{rounding_mode::toward_zero, 10};
  EXPECT_EQ(f16_row({65504, 65504}).bits(with(summation::fma_chain, 1, truncate), 0, f16), 0x7bffU);
  EXPECT_EQ(f16_row({65504, 65504}).bits(with(summation::fma_chain, 1), 0, f16), 0x7c00U);
}

TEST(fma_chain, returns_the_canonical_nan) {
  const dot_product_parameters chain = with(summation::fma_chain, 1);
  EXPECT_EQ(f16_row({NAN}).bits(chain, 0), 0x7fffffffU);
  EXPECT_EQ(f16_row({1}).bits(chain, 0xffc00001), 0x7fffffffU);
  EXPECT_EQ(f16_row({INFINITY}).bits(chain, 0xff800000), 0x7fffffffU);
}

TEST(adder_tree, adds_neighbours_first) {
  const std::vector<double> values{2048, 1, 1, -2048};
  EXPECT_EQ(f16_row(values).sum(with(summation::adder_tree, 4), 0, f16), 1) << "(2048 + 1) + (1 - 2048) in f16: 2048 - 2047";
  EXPECT_EQ(f16_row({2048, -2048, 1, 1}).sum(with(summation::adder_tree, 4), 0, f16), 2);
}

TEST(adder_tree, rounds_products_before_it_adds) {
  std::uint32_t a = 0x3c013c01;  // 1 + 2^-10, twice
  const dot_product tree({f16, f16, f16}, with(summation::adder_tree, 2));
  EXPECT_EQ(value_of(tree(&a, &a, 1, encode(-1, f16)), f16), two_to(-9)) << "the square's 2^-20 is lost";
}

TEST(adder_tree, lets_an_odd_product_wait) {
  EXPECT_EQ(f16_row({1, 1, 1, 1, 1}).sum(with(summation::adder_tree, 5), 0.25), 5.25);
  EXPECT_EQ(f16_row({1, 2048, 1}).sum(with(summation::adder_tree, 3), 0, f16), 2048) << "(1 + 2048) + 1";
}

TEST(adder_tree, chains_groups) { EXPECT_EQ(f16_row(std::vector<double>(24, 1)).sum(with(summation::adder_tree, 8), 2048, f16), 2072); }

TEST(addend_after_sum, is_one_addition_rounded_to_nearest_even) {
  dot_product_parameters parameters;
  EXPECT_EQ(f16_row({two_to(-13)}).sum(parameters, two_to(11)), two_to(11)) << "truncated";
  parameters.addend = addend_position::after_sum;
  EXPECT_EQ(f16_row({1.5 * two_to(-13)}).sum(parameters, two_to(11)), two_to(11) + two_to(-12)) << "above half a unit";
  EXPECT_EQ(f16_row({two_to(-13)}).sum(parameters, two_to(11)), two_to(11)) << "half a unit";
  EXPECT_EQ(f16_row({INFINITY}).bits(parameters, 0xff800000), 0x7fffffffU);
}

/// A dot product of k = 1 or 2 in f64.
std::uint64_t f64_sum(const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b, std::uint64_t c) {
  dot_product_parameters parameters = with(summation::fma_chain, 1, {rounding_mode::to_nearest_even, 52});
  std::vector<std::uint32_t> row(2 * a.size()), column(2 * b.size());
  for (unsigned i = 0; i < a.size(); ++i) {
    set_packed_element(row.data(), i, f64, a[i]);
    set_packed_element(column.data(), i, f64, b[i]);
  }
  return dot_product({f64, f64, f64}, parameters)(row.data(), column.data(), static_cast<unsigned>(a.size()), c);
}

constexpr std::uint64_t one = 0x3ff0000000000000, infinity = 0x7ff0000000000000, negative = std::uint64_t{1} << 63;

TEST(f64_fma_chain, multiplies_and_adds_without_a_rounding_between) {
  const std::uint64_t third = encode(1.0 / 3, f64), three = encode(3, f64);
  EXPECT_EQ(f64_sum({third}, {three}, encode(-1, f64)), encode(std::fma(1.0 / 3, 3.0, -1.0), f64));
  EXPECT_EQ(f64_sum({one, third}, {one, three}, 0), encode(std::fma(1.0 / 3, 3.0, 1.0), f64));
}

// Results recorded on an H200 (mma.m8n8k4).
TEST(f64_fma_chain, keeps_the_nan_of_b_before_the_addend_and_a) {
  constexpr std::uint64_t quiet = 0x7ff8000000000000, in_a = quiet + 0x11, in_b = quiet + 0x22, in_c = quiet + 0x33;
  EXPECT_EQ(f64_sum({in_a}, {in_b}, in_c), in_b);
  EXPECT_EQ(f64_sum({in_a}, {one}, in_c), in_c);
  EXPECT_EQ(f64_sum({one}, {in_b}, in_c), in_b);
  EXPECT_EQ(f64_sum({in_a}, {in_b}, one), in_b);
  EXPECT_EQ(f64_sum({in_a, in_a + 1}, {one, one}, one), in_a);
  EXPECT_EQ(f64_sum({0}, {infinity}, in_a), in_a) << "zero times infinity beside a NaN";
  EXPECT_EQ(f64_sum({0x7ff0000000000044}, {one}, one), quiet + 0x44) << "signalling NaN becomes quiet";
  EXPECT_EQ(f64_sum({quiet + 0x55 + negative}, {one}, one), quiet + 0x55 + negative);
}

TEST(f64_fma_chain, makes_a_negative_nan_of_invalid_operations) {
  EXPECT_EQ(f64_sum({infinity}, {0}, one), 0xfff8000000000000U);
  EXPECT_EQ(f64_sum({infinity}, {one}, infinity | negative), 0xfff8000000000000U);
  EXPECT_EQ(f64_sum({infinity, infinity | negative}, {one, one}, one), 0xfff8000000000000U);
}

/// e4m3 elements on a tensor core of f16, as Hopper's mma.sync has them.
std::uint64_t converted_sum(const std::array<double, 32>& values, std::uint64_t c) {
  dot_product_parameters parameters;
  parameters.addend = addend_position::after_sum;
  parameters.multiply_as_f16 = true;
  std::uint32_t a[8] = {}, b[8] = {};
  for (unsigned i = 0; i < 32; ++i) {
    set_packed_element(a, i, e4m3, encode(values[i], e4m3));
    set_packed_element(b, i, e4m3, encode(values[i] == 0 ? 0 : 1, e4m3));
  }
  return dot_product({e4m3, e4m3, f32}, parameters)(a, b, 32, c);
}

TEST(converting_dot_product, sums_the_low_halves_of_words_first) {
  std::array<double, 32> values{};
  values[0] = 448;
  values[1] = two_to(-9);
  values[2] = -448;
  // The low half words hold 448 and 2^-9, 17 bits apart; the second row takes away 448.
  EXPECT_EQ(value_of(converted_sum(values, 0), f32), two_to(-9));
  EXPECT_EQ(value_of(converted_sum(values, encode(two_to(20), f32)), f32), two_to(20)) << "the addend comes last, in f32";
}

/// Results of mma.m16n8k32 recorded on an H200: rows on which one fused sum, and groups of neighbours, give other bits.
TEST(converting_dot_product, returns_what_an_h200_returned) {
  struct recorded_row {
    number_format a, accumulator;
    std::array<std::uint32_t, 8> row, column;
    std::uint64_t c, d;
  };
  const recorded_row rows[] = {
      {e4m3,
       f16,
       {0xde21f614, 0x48b69fa5, 0xc568e814, 0x347eb3a4, 0x9feb08f0, 0x5bf578c1, 0x2656eb1f, 0x35487823},
       {0xa4b45c64, 0xc573203d, 0x5620736f, 0x516e3f03, 0xe330a6f9, 0x5a98fe44, 0xa83be941, 0xbf213518},
       0x8398,
       0xfc00},
      {e4m3,
       f16,
       {0xf78f574c, 0x03a58004, 0x16bad7b0, 0xe67cb90f, 0x53960812, 0xc70fe581, 0xf56ff494, 0x9bf81d6c},
       {0x1159c598, 0x5d8a0348, 0x05004368, 0x03bcb92d, 0x75fa5f1f, 0x8a095d0a, 0xa92335b5, 0xe2be16ca},
       0xc732,
       0x583e},
      {e4m3,
       f32,
       {0xf78f574c, 0x03a58004, 0x16bad7b0, 0xe67cb90f, 0x53960812, 0xc70fe581, 0xf56ff494, 0x9bf81d6c},
       {0x1159c598, 0x5d8a0348, 0x05004368, 0x03bcb92d, 0x75fa5f1f, 0x8a095d0a, 0xa92335b5, 0xe2be16ca},
       0xbf0fa732,
       0x430de3cd},
      {e5m2,
       f32,
       {0x02020f07, 0x86978401, 0x07350701, 0x07860703, 0x03028100, 0x810ab306, 0x0159e680, 0x0387eecd},
       {0x84424302, 0xeb8c13bd, 0x85042e83, 0x01018201, 0x06a00601, 0x81058681, 0x05070f84, 0x860283b3},
       0x3fd80254,
       0x410a3b25},
  };
  for (const recorded_row& x : rows) {
    dot_product_parameters parameters;
    parameters.addend = addend_position::after_sum;
    parameters.multiply_as_f16 = true;
    if (x.accumulator == f16) parameters.output_rounding = {rounding_mode::to_nearest_even, 10};
    EXPECT_EQ(dot_product({x.a, e4m3, x.accumulator}, parameters)(x.row.data(), x.column.data(), 32, x.c), x.d);
  }
}

TEST(converting_dot_product, gives_nan_for_nan) {
  std::array<double, 32> values{};
  values[31] = NAN;
  EXPECT_EQ(converted_sum(values, 0), 0x7fffffffU);
}

}  // namespace
}  // namespace tc::numerics::summation_test
