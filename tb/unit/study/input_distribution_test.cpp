// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include <tc/study/input_distribution.hpp>

namespace tc::study::input_distribution_test {
namespace {

std::vector<double> values(const std::vector<std::uint32_t>& row, unsigned k, const numerics::number_format& format) {
  std::vector<double> result;
  for (unsigned i = 0; i < k; ++i) result.push_back(numerics::value_of(numerics::packed_element(row.data(), i, format), format));
  return result;
}

std::vector<double> drawn(input_distribution distribution, unsigned k = 4000) {
  return values(input_generator(distribution, numerics::tf32, 3).next(k).a, k, numerics::tf32);
}

double mean(const std::vector<double>& row) {
  double sum = 0;
  for (const double x : row) sum += x;
  return sum / static_cast<double>(row.size());
}

TEST(input_distribution, every_one_has_a_name_and_a_formula) {
  std::set<std::string_view> names;
  for (const auto& text : distribution_texts()) {
    names.insert(text.name);
    EXPECT_FALSE(text.formula.empty()) << text.name;
  }
  EXPECT_EQ(names.size(), 7u);
}

TEST(input_distribution, uniform_fills_its_interval) {
  const auto row = drawn(input_distribution::uniform);
  for (const double x : row) ASSERT_LE(std::abs(x), 1);
  EXPECT_NEAR(mean(row), 0, 0.05);
  for (const double x : drawn(input_distribution::positive)) ASSERT_TRUE(x >= 0 && x <= 1) << x;
  EXPECT_NEAR(mean(drawn(input_distribution::positive)), 0.5, 0.03);
}

TEST(input_distribution, normal_has_variance_one) {
  auto row = drawn(input_distribution::normal);
  EXPECT_NEAR(mean(row), 0, 0.06);
  for (double& x : row) x *= x;
  EXPECT_NEAR(mean(row), 1, 0.1);
}

TEST(input_distribution, lognormal_has_normal_logarithms_and_both_signs) {
  auto row = drawn(input_distribution::lognormal);
  int negative = 0;
  for (double& x : row) {
    negative += x < 0 ? 1 : 0;
    x = std::log(std::abs(x));
  }
  EXPECT_NEAR(negative, 2000, 150);
  EXPECT_NEAR(mean(row), 0, 0.06);
}

TEST(input_distribution, exponents_are_all_alike) {
  int count[16] = {};
  for (const double x : drawn(input_distribution::exponents)) {
    const int exponent = std::min(std::ilogb(x), 7);  // a number may round up to 2^8
    ASSERT_GE(exponent, -8);
    ++count[exponent + 8];
  }
  for (const int each : count) EXPECT_NEAR(each, 250, 70);
}

TEST(input_distribution, cancelling_products_come_in_pairs) {
  const auto rows = input_generator(input_distribution::cancelling, numerics::tf32, 3).next(100);
  const auto a = values(rows.a, 100, numerics::tf32), b = values(rows.b, 100, numerics::tf32);
  for (std::size_t i = 0; i < 100; i += 2) {
    EXPECT_EQ(a[i + 1], -a[i]);
    EXPECT_NEAR(b[i + 1] / b[i], 1, 0.07);
  }
}

TEST(input_distribution, integers_are_exact_in_small_formats) {
  const auto rows = input_generator(input_distribution::integers, numerics::e4m3, 3).next(500);
  std::set<double> seen;
  for (const double x : values(rows.a, 500, numerics::e4m3)) seen.insert(x);
  EXPECT_EQ(seen.size(), 17u);
  EXPECT_EQ(*seen.begin(), -8);
  EXPECT_EQ(*seen.rbegin(), 8);
}

TEST(input_distribution, numbers_beyond_a_format_become_its_largest) {
  const auto rows = input_generator(input_distribution::exponents, numerics::e2m1, 3).next(500);
  for (const double x : values(rows.a, 500, numerics::e2m1)) ASSERT_LE(std::abs(x), 6);
}

TEST(input_distribution, the_seed_decides) {
  for (const auto& text : distribution_texts()) {
    const auto row = [&](std::uint64_t seed) { return input_generator(text.distribution, numerics::f16, seed).next(64).a; };
    EXPECT_EQ(row(5), row(5)) << text.name;
    EXPECT_NE(row(5), row(6)) << text.name;
  }
}

}  // namespace
}  // namespace tc::study::input_distribution_test
