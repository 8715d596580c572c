// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/study/probe.hpp>

#include "probe_sets.hpp"

namespace tc::study::probe_test {

namespace {

using namespace numerics;

finding answer_to(const datapath_findings& findings, const std::string& key) {
  const auto found = std::find_if(findings.answers.begin(), findings.answers.end(), [&](const finding& f) { return f.key == key; });
  return found == findings.answers.end() ? finding{} : *found;
}

datapath_findings probe_model(const dot_product_types& types, const dot_product_parameters& parameters, unsigned k) {
  probe_effort effort;
  effort.k = k;
  effort.experiments_a_length = 100;
  effort.checks = 500;
  return probe_datapath(modelled_unit(dot_product(types, parameters)), effort);
}

constexpr rounding_rule truncated{rounding_mode::toward_zero, 23}, nearest{rounding_mode::to_nearest_even, 23};

dot_product_parameters fused(unsigned group_length, unsigned bits, rounding_rule rounding = truncated) {
  dot_product_parameters parameters;
  parameters.group_length = group_length;
  parameters.alignment_fraction_bits = bits;
  parameters.output_rounding = rounding;
  return parameters;
}

/// f16 operands summed in f32 by a function of exact products: a unit that no description fits.
class strange_unit final : public unit_under_test {
 public:
  using sum = std::function<float(const std::vector<float>& products, float c)>;

  explicit strange_unit(sum sum_of) : sum_(std::move(sum_of)) {}

  const dot_product_types& types() const override { return types_; }
  std::uint64_t operator()(const dot_inputs& inputs) const override {
    std::vector<float> products;  // 22 bits: exact
    for (std::size_t i = 0; i < inputs.a.size(); ++i)
      products.push_back(static_cast<float>(value_of(inputs.a[i], f16) * value_of(inputs.b[i], f16)));
    const float result = sum_(products, static_cast<float>(value_of(inputs.c, f32)));
    return std::isnan(result) ? f32.canonical_nan() : encode(result, f32);
  }

 private:
  dot_product_types types_{f16, f16, f32};
  sum sum_;
};

datapath_findings probe_strange(strange_unit::sum sum) {
  probe_effort effort;
  effort.k = 32;
  return probe_datapath(strange_unit(std::move(sum)), effort);
}

}  // namespace

TEST(probe, says_for_the_v100_what_its_experimenters_said) {
  const auto findings = probe_model({f16, f16, f32}, fused(4, 23), 64);
  ASSERT_TRUE(findings.explained());
  EXPECT_EQ(answer_to(findings, "group_length").answer, "4");
  EXPECT_EQ(answer_to(findings, "alignment_fraction_bits").answer, "23");
  EXPECT_EQ(answer_to(findings, "alignment_fraction_bits").evidence, "2^30 - 2^30 + 2^n: survives for n >= 7");
  EXPECT_EQ(answer_to(findings, "output_rounding").answer, "toward zero");
  EXPECT_EQ(answer_to(findings, "addend").answer, "in the first group");
  EXPECT_EQ(answer_to(findings, "flush_subnormals").answer, "kept");
  EXPECT_EQ(answer_to(findings, "term_truncation").answer, "toward zero");
  EXPECT_EQ(answer_to(findings, "product_normalisation").answer, "no");
  EXPECT_EQ(answer_to(findings, "element_order").answer, "no");
  EXPECT_EQ(answer_to(findings, "nan_pattern").answer, "0x7fffffff");
}

TEST(probe, tells_orders_of_summation_apart) {
  dot_product_parameters chain = fused(4, 23, nearest), tree = chain, paired = fused(4, 23);
  chain.order = summation::fma_chain;
  tree.order = summation::adder_tree;
  paired.order = summation::paired_groups;
  const dot_product_types types{f16, f16, f32};
  EXPECT_EQ(probe_model(types, chain, 64).parameters.order, summation::fma_chain);
  EXPECT_EQ(probe_model(types, tree, 64).parameters.order, summation::adder_tree);
  EXPECT_EQ(probe_model(types, paired, 64).parameters.order, summation::paired_groups);
  EXPECT_EQ(answer_to(probe_model(types, tree, 64), "element_order").answer, "yes");
}

TEST(probe, tells_lengths_and_widths_of_fused_sums_apart) {
  for (const unsigned length : {5u, 16u}) {
    for (const unsigned bits : {24u, 25u}) {
      const auto found = probe_model({f16, f16, f32}, fused(length, bits), 48).parameters;
      EXPECT_EQ(found.group_length, length);
      EXPECT_EQ(found.alignment_fraction_bits, bits);
    }
  }
}

TEST(probe, says_that_groups_are_longer_than_its_rows) {
  const auto findings = probe_model({f16, f16, f32}, fused(16, 25), 16);
  ASSERT_TRUE(findings.explained());
  const finding length = answer_to(findings, "group_length");
  EXPECT_EQ(length.sure, certainty::lower_bound);
  EXPECT_EQ(length.answer, "16 or more");
}

TEST(probe, says_what_formats_cannot_show) {
  // e2m1 products are multiples of 1/4 below 2^6: added after the sum, C hides everything below its own last bit.
  dot_product_parameters after_sum = fused(16, 40);
  after_sum.addend = addend_position::after_sum;
  const auto findings = probe_model({e2m1, e2m1, f32}, after_sum, 64);
  ASSERT_TRUE(findings.explained());
  const finding bits = answer_to(findings, "alignment_fraction_bits");
  EXPECT_EQ(bits.sure, certainty::not_observable);
  EXPECT_FALSE(bits.reason.empty());
}

/// Numbers of the sets of parameters to try: three that take a fraction of a second, or as many as TCSIM_PROBED_SETS says.
std::vector<unsigned> sets_to_probe() {
  const char* const text = std::getenv("TCSIM_PROBED_SETS");
  if (text == nullptr) return {27, 115, 140};
  std::vector<unsigned> sets(std::stoul(text));
  std::iota(sets.begin(), sets.end(), 0u);
  return sets;
}

// 200 sets take two minutes in a Release build:
//   TCSIM_PROBED_SETS=200 tc_unit_study --gtest_filter='probe.recovers*'
TEST(probe, recovers_datapaths_drawn_at_random) {
  for (const unsigned set : sets_to_probe()) {
    const dot_product unit = test::random_datapath(set);
    probe_effort effort;
    effort.k = test::telling_length(unit);
    effort.checks = 4000;
    const auto findings = probe_datapath(modelled_unit(unit), effort);
    EXPECT_EQ(test::mistakes(findings, unit), "")
        << "set " << set << ", " << unit.types().a.name << " to " << unit.types().accumulator.name;
  }
}

TEST(probe, finds_the_floor_of_the_alignment) {
  for (const unsigned floor : {6u, 7u}) {
    dot_product_parameters parameters = fused(8, 24);
    parameters.alignment_floor = floor;
    const finding found = answer_to(probe_model({bf16, bf16, f32}, parameters, 32), "alignment_floor");
    EXPECT_EQ(found.sure, certainty::found);
    EXPECT_EQ(found.answer, std::to_string(floor) + " below normal");
    EXPECT_EQ(found.evidence, "2^-149 - 2^n: survives for n >= -" + std::to_string(126 + floor + 24));
  }
}

TEST(probe, says_that_the_products_of_f16_are_too_large_for_the_floor_of_f32) {
  const finding floor = answer_to(probe_model({f16, f16, f32}, fused(8, 24), 32), "alignment_floor");
  EXPECT_EQ(floor.sure, certainty::not_observable);
  EXPECT_EQ(floor.reason, "no sum of these formats is small enough");
}

TEST(probe, does_not_explain_rounding_away_from_zero) {
  const auto findings = probe_strange([](const std::vector<float>& products, float c) {
    double sum = c;
    for (const float product : products) sum += product;
    const auto towards = static_cast<float>(sum);  // nearest even; halves go up instead
    if (!std::isfinite(towards) || sum == towards) return towards;
    const float other = std::nextafter(towards, sum > towards ? INFINITY : -INFINITY);
    return std::fabs(other - sum) == std::fabs(towards - sum) && std::fabs(other) > std::fabs(towards) ? other : towards;
  });
  EXPECT_FALSE(findings.explained());
  ASSERT_TRUE(findings.unexplained.has_value());
  EXPECT_NE(findings.unexplained->found, findings.unexplained->predicted);
}

TEST(probe, does_not_explain_a_chain_in_descending_order) {
  const auto findings = probe_strange([](const std::vector<float>& products, float c) {
    for (auto product = products.rbegin(); product != products.rend(); ++product) c += *product;
    return c;
  });
  EXPECT_FALSE(findings.explained());
}

TEST(probe, does_not_explain_a_unit_that_ignores_a_product) {
  const dot_product unit({f16, f16, f32}, fused(16, 25));
  const auto findings = probe_strange([](const std::vector<float>& products, float c) {
    float sum = c;
    for (std::size_t i = 0; i < products.size(); ++i)
      if (i != 17) sum += products[i];
    return sum;
  });
  EXPECT_FALSE(findings.explained());
}

}  // namespace tc::study::probe_test
