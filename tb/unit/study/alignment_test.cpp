// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/numerics/rounding.hpp>
#include <tc/study/alignment.hpp>

namespace tc::study::alignment_test {
namespace {

using namespace tc::numerics;

dot_operands pack(const std::vector<double>& a, const std::vector<double>& b, double c, const dot_product_types& types) {
  const auto row = [](const std::vector<double>& values, const number_format& format) {
    std::vector<std::uint32_t> words(words_for(static_cast<unsigned>(values.size()), format));
    for (std::size_t i = 0; i < values.size(); ++i) set_packed_element(words.data(), i, format, encode(values[i], format));
    return words;
  };
  return {row(a, types.a), row(b, types.b), {}, {}, encode(c, types.accumulator)};
}

dot_product fused_unit(const number_format& a, const number_format& accumulator, unsigned group_length, unsigned alignment_bits) {
  dot_product_parameters parameters;
  parameters.group_length = group_length;
  parameters.alignment_fraction_bits = alignment_bits;
  if (accumulator == f16) parameters.output_rounding = {rounding_mode::to_nearest_even, 10};
  return dot_product({a, a, accumulator}, parameters);
}

TEST(alignment, terms_of_one_group) {
  const dot_product unit = fused_unit(f16, f32, 4, 23);
  // 2^30 - 2^30 + 2^7 survives on Volta, half of it does not (Hickmann and Bradford, 2019).
  const dot_operands operands = pack({0x1p15, -0x1p15, 0x1p6, 0}, {0x1p15, 0x1p15, 1.5, 0}, 3, unit.types());
  const alignment explained = explain(unit, operands, 4);
  ASSERT_EQ(explained.groups.size(), 1u);
  const aligned_group& group = explained.groups[0];
  EXPECT_EQ(group.largest_exponent, 30);
  EXPECT_EQ(group.last_bit, 7);
  ASSERT_EQ(group.terms.size(), 5u);
  const aligned_term &c = group.terms[0], &first = group.terms[1], &second = group.terms[2], &third = group.terms[3],
                     &zero = group.terms[4];
  EXPECT_TRUE(c.is_addend);
  EXPECT_EQ(c.exponent, 1);
  EXPECT_EQ(c.kept, 0u);
  EXPECT_EQ(c.lost, c.significand);
  EXPECT_FALSE(first.negative);
  EXPECT_EQ(first.kept, 1u << 23);
  EXPECT_TRUE(second.negative);
  EXPECT_EQ(second.kept, 1u << 23);
  EXPECT_EQ(third.exponent, 6);
  EXPECT_EQ(third.kept, 0u) << "96 is less than 2^7";
  EXPECT_FALSE(zero.counts);
  EXPECT_EQ(group.sum, 0);
  EXPECT_EQ(explained.result, 0u);
}

TEST(alignment, groups_are_chained) {
  const dot_product unit = fused_unit(f16, f32, 4, 23);
  const dot_operands operands = pack({1, 1, 1, 1, 2, 2, 2, 2}, {1, 1, 1, 1, 1, 1, 1, 1}, 5, unit.types());
  const alignment explained = explain(unit, operands, 8);
  ASSERT_EQ(explained.groups.size(), 2u);
  EXPECT_EQ(explained.groups[0].result, encode(9, f32));
  EXPECT_EQ(explained.groups[1].addend, encode(9, f32));
  EXPECT_EQ(explained.groups[1].first, 4u);
  EXPECT_EQ(explained.result, encode(17, f32));
}

/// The sum of the explained terms, rounded, is what the datapath returns.
void expect_consistent(const dot_product& unit, const dot_operands& operands, unsigned k) {
  const alignment explained = explain(unit, operands, k);
  ASSERT_FALSE(explained.groups.empty());
  for (const aligned_group& group : explained.groups) {
    if (group.is_special) continue;
    EXPECT_EQ(round_to_format({group.sum, group.last_bit}, unit.types().accumulator, unit.parameters().output_rounding), group.result);
  }
  EXPECT_EQ(explained.groups.back().result, explained.result);
}

class random_rows {
 public:
  std::vector<std::uint32_t> row(unsigned words) {
    std::vector<std::uint32_t> result(words);
    for (auto& word : result) word = static_cast<std::uint32_t>(random_());
    return result;
  }
  dot_operands operands(unsigned k, const dot_product_types& types, unsigned scales) {
    dot_operands result;
    result.a = row(words_for(k, types.a));
    result.b = row(words_for(k, types.b));
    result.scale_a = row(1);
    result.scale_b = row(1);
    if (scales > 0)  // near 1, so that the terms meet
      for (auto* words : {&result.scale_a, &result.scale_b}) (*words)[0] = ((*words)[0] & 0x03030303u) | 0x78787878u;
    result.c = random_() & types.accumulator.storage_mask();
    return result;
  }

 private:
  std::mt19937 random_{11};
};

TEST(alignment, explains_what_the_datapath_computes) {
  random_rows random;
  for (const number_format& format : {f16, bf16, e5m2, e4m3, e2m3, e2m1})
    for (const number_format& accumulator : {f32, f16})
      for (const unsigned group_length : {4u, 16u, 32u})
        for (int i = 0; i < 20; ++i) {
          const dot_product unit = fused_unit(format, accumulator, group_length, 25);
          expect_consistent(unit, random.operands(32, unit.types(), 0), 32);
        }
}

TEST(alignment, explains_block_scaled_sums) {
  random_rows random;
  for (const number_format& scale : {ue8m0, ue4m3})
    for (const unsigned block : {16u, 32u}) {
      dot_product_parameters parameters;
      parameters.group_length = 64;
      parameters.products_per_term = 16;
      parameters.alignment_fraction_bits = 35;
      const dot_product unit({e2m1, e2m1, f32, dot_product_operation::float_sum, block_scaling{scale, block}}, parameters);
      for (int i = 0; i < 50; ++i) expect_consistent(unit, random.operands(64, unit.types(), 64 / block), 64);
    }
  const dot_product unit({e4m3, e5m2, f32, dot_product_operation::float_sum, block_scaling{ue8m0, 32}}, {});
  for (int i = 0; i < 50; ++i) expect_consistent(unit, random.operands(32, unit.types(), 1), 32);
}

TEST(alignment, explains_factors_that_are_multiplied_as_f16) {
  random_rows random;
  dot_product_parameters parameters;
  parameters.multiply_as_f16 = true;
  parameters.addend = addend_position::after_sum;
  const dot_product unit({e4m3, e5m2, f32}, parameters);
  for (int i = 0; i < 50; ++i) {
    dot_operands operands = random.operands(32, unit.types(), 0);
    operands.c = 0;
    const alignment explained = explain(unit, operands, 32);
    ASSERT_EQ(explained.groups.size(), 2u);
    EXPECT_EQ(explained.groups.back().result, explained.result) << "an addend of 0 changes nothing";
    if (explained.groups[1].is_special) continue;
    EXPECT_EQ(explained.groups[1].first, 2u);
    EXPECT_EQ(explained.groups[1].terms.at(3).first, 6u) << "k 2, 3, 6, 7, ...";
  }
}

TEST(alignment, tiny_terms_are_aligned_to_the_floor) {
  const dot_product unit = fused_unit(tf32, f32, 4, 25);
  const dot_operands operands = pack({0x1p-75, -0x1p-80, 0, 0}, {0x1p-74, 0x1p-79, 1, 1}, 0, unit.types());
  const alignment explained = explain(unit, operands, 4);
  ASSERT_EQ(explained.groups.size(), 1u);
  EXPECT_EQ(explained.groups[0].largest_exponent, -133);
  EXPECT_EQ(explained.groups[0].last_bit, -158);
  EXPECT_EQ(explained.groups[0].sum, 1 << 9) << "2^-159 is cut off";
  EXPECT_EQ(explained.result, 1u);
  const std::string text = text_of(explained, unit);
  EXPECT_NE(text.find("no exponent reaches -133, the smallest that terms are aligned to, 25 alignment fraction bits"), std::string::npos)
      << text;
}

TEST(alignment, paired_groups_have_no_addend) {
  dot_product_parameters parameters = fused_unit(f16, f32, 2, 23).parameters();
  parameters.order = summation::paired_groups;
  parameters.align_to_zeros = true;
  parameters.output_rounding = {rounding_mode::to_nearest_even, 10};
  const dot_product unit({f16, f16, f32}, parameters);
  const alignment explained = explain(unit, pack({1, 0x1p-12, 1, 1}, {1, 1, 1, 1}, 8, unit.types()), 4);
  ASSERT_EQ(explained.groups.size(), 2u);
  EXPECT_EQ(explained.groups[0].terms.size(), 2u);
  EXPECT_EQ(explained.groups[0].result, encode(1 + 0x1p-12, f32)) << "only the additions round to 10 bits";
  EXPECT_EQ(explained.result, encode(11, f32));
}

TEST(alignment, other_orders_have_no_common_alignment) {
  dot_product_parameters parameters;
  parameters.order = summation::fma_chain;
  const dot_product unit({f16, f16, f32}, parameters);
  const alignment explained = explain(unit, pack({1, 2}, {3, 4}, 5, unit.types()), 2);
  EXPECT_TRUE(explained.groups.empty());
  EXPECT_EQ(text_of(explained, unit, 2), "  no common alignment: the result is 0x41800000 (16)\n");
}

TEST(alignment, text_for_people) {
  const dot_product unit = fused_unit(f16, f32, 4, 23);
  const dot_operands operands = pack({1.5, -1, 0, 0}, {1.5, 0x1p-3, 1, 1}, 0x1.000002p-2, unit.types());
  EXPECT_EQ(text_of(explain(unit, operands, 4), unit),
            "group 0: k 0 to 3\n"
            "  largest exponent 0, 23 alignment fraction bits: terms are cut to multiples of 2^-23\n"
            "  term         exponent  significand (hex)        x 2^-23 (hex)  cut off\n"
            "  C                  -2  +1.000002                      +200000  2.98023e-08\n"
            "  A[0] x B[0]         0  +2.40000                      +1200000\n"
            "  A[1] x B[1]        -3  -1.00000                       -100000\n"
            "  A[2] x B[2]      none  +0.00000                            +0\n"
            "  A[3] x B[3]      none  +0.00000                            +0\n"
            "  exact sum +1300000 (hex) x 2^-23 = 2.375\n"
            "  rounded toward zero to f32 with 23 fraction bits: 0x40180000 (2.375)\n");
}

TEST(alignment, text_of_infinities) {
  const dot_product unit = fused_unit(f16, f32, 4, 23);
  const dot_operands operands = pack({1e9, 1, 1, 1}, {1, 1, 1, 1}, 0, unit.types());
  EXPECT_NE(text_of(explain(unit, operands, 4), unit).find("infinite or no number: the result is 0x7f800000 (inf)"), std::string::npos);
}

}  // namespace
}  // namespace tc::study::alignment_test
