// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <stdexcept>

#include <gtest/gtest.h>

#include <tc/study/error_study.hpp>

namespace tc::study::error_study_test {
namespace {

using numerics::f16;
using numerics::f32;

/// A fused f16 datapath (MMA-Sim, arXiv 2511.10909).
studied_datapath fused(const std::string& name, unsigned group_length, unsigned alignment_bits,
                       const numerics::number_format& accumulator = f32) {
  numerics::dot_product_parameters parameters;
  parameters.group_length = group_length;
  parameters.alignment_fraction_bits = alignment_bits;
  if (accumulator == f16) parameters.output_rounding = {numerics::rounding_mode::to_nearest_even, 10};
  return {name, numerics::dot_product({f16, f16, accumulator}, parameters), 16};
}

const studied_datapath volta = fused("volta", 4, 23), hopper = fused("hopper", 16, 25);

error_study_settings settings_for(input_distribution distribution, std::vector<unsigned> lengths, std::uint64_t dots = 300) {
  error_study_settings settings;
  settings.distribution = distribution;
  settings.lengths = std::move(lengths);
  settings.dots = dots;
  return settings;
}

const error_statistics& errors_of(const std::vector<studied_errors>& errors, const std::string& name, unsigned k) {
  const auto found = std::find_if(errors.begin(), errors.end(), [&](const auto& each) { return each.name == name && each.k == k; });
  if (found == errors.end()) throw std::out_of_range(name);
  return found->statistics;
}

TEST(error_statistics, of_one_result) {
  exact_accumulator exact;
  exact.add(numerics::encode(-1.0, f32), f32);
  exact.add(numerics::encode(-0x1p-30, f32), f32);
  error_statistics statistics;
  statistics.add(numerics::encode(-1.0 - 0x1p-22, f32), f32, exact, 4.0);
  const double error = 2 - 0x1p-7;  // in ulps of 2^-23, away from zero
  EXPECT_EQ(statistics.ulps().maximum, error);
  EXPECT_EQ(statistics.mean(statistics.ulps()), error);
  EXPECT_EQ(statistics.root_mean_square(statistics.ulps()), error);
  EXPECT_EQ(statistics.bias(statistics.ulps()), error);
  EXPECT_EQ(statistics.relative().maximum, error * 0x1p-25);
  EXPECT_EQ(statistics.correctly_rounded(), 0u);
  EXPECT_EQ(statistics.within_one_ulp(), 0u);
  EXPECT_EQ(statistics.histogram(), (std::map<int, std::uint64_t>{{0, 1}}));
}

TEST(error_statistics, of_truncation_is_biased_toward_zero) {
  error_statistics statistics;
  for (const double value : {1.75, -1.75}) {
    exact_accumulator exact;
    exact.add(numerics::encode(value * 0x1p-24 + (value < 0 ? -1 : 1), numerics::f64), numerics::f64);
    statistics.add(numerics::encode(value < 0 ? -1 : 1, f32), f32, exact, 1.0);
  }
  EXPECT_EQ(statistics.bias(statistics.ulps()), -0.875);
  EXPECT_EQ(statistics.within_one_ulp(), 2u);
  EXPECT_EQ(statistics.correctly_rounded(), 0u);
}

TEST(error_statistics, keeps_overflows_apart) {
  exact_accumulator exact;
  exact.add(numerics::encode(70000.0, f32), f32);
  error_statistics statistics;
  statistics.add(f16.infinity(), f16, exact, 70000.0);
  statistics.add(f16.canonical_nan(), f16, exact, 70000.0);
  EXPECT_EQ(statistics.results(), 2u);
  EXPECT_EQ(statistics.not_finite(), 2u);
  EXPECT_EQ(statistics.mean(statistics.ulps()), 0);
}

TEST(error_study, exact_sums_have_no_error) {
  for (const auto& each : study_errors({volta, hopper}, settings_for(input_distribution::integers, {16, 64, 1024}))) {
    EXPECT_EQ(each.statistics.results(), 300u);
    EXPECT_EQ(each.statistics.exact(), 300u) << each.name << " " << each.k;
    EXPECT_EQ(each.statistics.correctly_rounded(), 300u);
    EXPECT_TRUE(each.statistics.histogram().empty());
  }
}

TEST(error_study, rounding_once_errs_by_half_an_ulp_at_most) {
  const auto errors = study_errors({hopper}, settings_for(input_distribution::normal, {16, 256}));
  for (const unsigned k : {16u, 256u}) {
    const auto& best = errors_of(errors, rounded_once_name, k);
    EXPECT_EQ(best.correctly_rounded(), best.results());
    EXPECT_LE(best.ulps().maximum, 0.5);
    EXPECT_GT(best.ulps().maximum, 0.4);
  }
}

TEST(error_study, one_fused_sum_of_positive_numbers_errs_by_its_truncations) {
  const auto errors = study_errors({hopper}, settings_for(input_distribution::positive, {16}, 2000));
  const auto& statistics = errors_of(errors, "hopper", 16);
  // 16 terms lose less than 2^-25 of the largest term's power of two each, the result less than an ulp.
  EXPECT_LT(statistics.ulps().maximum, 1 + 16 * 0x1p-2);
  EXPECT_LT(statistics.bias(statistics.ulps()), -0.4);
}

TEST(error_study, wider_alignment_and_longer_groups_err_less) {
  const auto errors = study_errors({volta, hopper}, settings_for(input_distribution::positive, {16, 256, 4096}, 100));
  for (const unsigned k : {16u, 256u, 4096u}) {
    const auto &of_volta = errors_of(errors, "volta", k), &of_hopper = errors_of(errors, "hopper", k);
    EXPECT_LT(of_hopper.mean(of_hopper.relative()), of_volta.mean(of_volta.relative()) / 2) << k;
  }
}

// Aligned to as many bits as the result keeps, terms of both signs are truncated before they meet, and the sum has hardly a bit to lose.
// With more bits it is the sum that is truncated, always toward zero, and along a chain this adds up.
TEST(error_study, sums_of_both_signs_shrink_where_the_alignment_is_wider_than_the_result) {
  const auto errors = study_errors({volta, hopper}, settings_for(input_distribution::normal, {4096}, 200));
  const auto &of_volta = errors_of(errors, "volta", 4096), &of_hopper = errors_of(errors, "hopper", 4096);
  EXPECT_LT(of_hopper.bias(of_hopper.relative()), 3 * of_volta.bias(of_volta.relative()));
  EXPECT_LT(of_hopper.bias(of_hopper.relative()), -0.5 * of_hopper.mean(of_hopper.relative()));
}

TEST(error_study, truncation_adds_up_along_the_chain) {
  const auto errors = study_errors({volta}, settings_for(input_distribution::positive, {64, 1024}, 200));
  const auto &few = errors_of(errors, "volta", 64), &many = errors_of(errors, "volta", 1024);
  EXPECT_LT(many.bias(many.ulps()), 8 * few.bias(few.ulps()));
  const auto& rounded = errors_of(errors, fma_chain_name, 1024);
  EXPECT_GT(rounded.bias(rounded.ulps()), many.bias(many.ulps()) / 4);
}

TEST(error_study, f16_accumulation_errs_more_than_f32) {
  auto settings = settings_for(input_distribution::uniform, {256}, 200);
  const auto wide = study_errors({volta}, settings);
  settings.accumulator = f16;
  const auto narrow = study_errors({fused("volta", 4, 23, f16)}, settings);
  const auto &of_wide = errors_of(wide, "volta", 256), &of_narrow = errors_of(narrow, "volta", 256);
  EXPECT_GT(of_narrow.mean(of_narrow.relative()), 1000 * of_wide.mean(of_wide.relative()));
  // The f32 chain is rounded to f16 once, and nearly always as the exact sum is.
  const auto& chain = errors_of(narrow, fma_chain_name, 256);
  EXPECT_GT(chain.correctly_rounded(), 190u);
}

TEST(error_study, f16_sums_overflow) {
  auto settings = settings_for(input_distribution::exponents, {4096}, 50);
  settings.accumulator = f16;
  const auto errors = study_errors({fused("volta", 4, 23, f16)}, settings);
  EXPECT_GT(errors_of(errors, "volta", 4096).not_finite(), 10u);
}

TEST(error_study, instructions_chain_through_the_accumulator) {
  // An addend after the sum is rounded once an instruction: with one instruction for all of k there is nothing to round.
  numerics::dot_product_parameters parameters;
  parameters.group_length = 128;
  parameters.addend = numerics::addend_position::after_sum;
  parameters.output_rounding = {numerics::rounding_mode::to_nearest_even, 23};
  const numerics::dot_product unit({f16, f16, f32}, parameters);
  const auto errors = study_errors({{"one", unit, 128}, {"eight", unit, 16}}, settings_for(input_distribution::positive, {128}));
  const auto &one = errors_of(errors, "one", 128), &eight = errors_of(errors, "eight", 128);
  EXPECT_GT(eight.mean(eight.ulps()), one.mean(one.ulps()));
}

TEST(error_study, the_seed_decides) {
  auto settings = settings_for(input_distribution::normal, {64}, 50);
  const auto mean_error = [&](std::uint64_t seed) {
    settings.seed = seed;
    const auto errors = study_errors({hopper}, settings);
    return errors.front().statistics.mean(errors.front().statistics.ulps());
  };
  EXPECT_EQ(mean_error(1), mean_error(1));
  EXPECT_NE(mean_error(1), mean_error(2));
}

TEST(error_study, shorter_sums_are_the_beginnings_of_longer_ones) {
  const auto alone = study_errors({hopper}, settings_for(input_distribution::normal, {512}, 20));
  const auto sorted = study_errors({hopper}, settings_for(input_distribution::normal, {512, 16, 512}, 20));
  ASSERT_EQ(sorted.size(), 6u);
  EXPECT_EQ(sorted.front().k, 16u);
  const auto &x = errors_of(alone, "hopper", 512), &y = errors_of(sorted, "hopper", 512);
  EXPECT_EQ(x.mean(x.ulps()), y.mean(y.ulps()));
}

TEST(error_study, counts_its_progress) {
  std::uint64_t last = 0;
  study_errors({hopper}, settings_for(input_distribution::normal, {16}, 7), [&](std::uint64_t done) { last = done; });
  EXPECT_EQ(last, 7u);
}

TEST(error_study, refuses_other_formats) {
  auto settings = settings_for(input_distribution::normal, {16});
  settings.input = numerics::bf16;
  EXPECT_THROW(study_errors({hopper}, settings), std::invalid_argument);
}

TEST(error_study, instructions_take_32_bytes) {
  EXPECT_EQ(instruction_k_of(numerics::tf32), 8u);
  EXPECT_EQ(instruction_k_of(f16), 16u);
  EXPECT_EQ(instruction_k_of(numerics::e4m3), 32u);
  EXPECT_EQ(instruction_k_of(numerics::e2m1), 32u);
}

}  // namespace
}  // namespace tc::study::error_study_test
