// SPDX-License-Identifier: Apache-2.0
#include "rank_test.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace tcsim::rank_test_test {
namespace {

using sample = std::vector<double>;

/// The same by trying all allotments, of values that may be equal.
double by_enumeration(const sample& a, const sample& b) {
  sample all = a;
  all.insert(all.end(), b.begin(), b.end());
  const auto rank_of = [&](double value) {
    double below = 0, equal = 0;
    for (const double other : all) (other < value ? below : equal) += other <= value ? 1 : 0;
    return below + (equal + 1) / 2;
  };
  const double mean = static_cast<double>(a.size() * (all.size() + 1)) / 2;
  double observed = 0, as_far = 0, ways = 0;
  for (const double value : a) observed += rank_of(value);
  std::vector<bool> taken(all.size(), false);
  std::fill(taken.begin(), taken.begin() + static_cast<std::ptrdiff_t>(a.size()), true);
  do {
    double sum = 0;
    for (std::size_t i = 0; i < all.size(); ++i) sum += taken[i] ? rank_of(all[i]) : 0;
    ++ways;
    if (std::abs(sum - mean) >= std::abs(observed - mean)) ++as_far;
  } while (std::prev_permutation(taken.begin(), taken.end()));
  return as_far / ways;
}

sample draw(std::mt19937& random, std::size_t count, double mean, double spread) {
  sample values;
  std::uniform_real_distribution<double> value(mean - spread, mean + spread);
  for (std::size_t i = 0; i < count; ++i) values.push_back(std::round(value(random)));
  return values;
}

}  // namespace

TEST(rank_test, of_separate_samples_is_two_of_all_allotments) {
  EXPECT_DOUBLE_EQ(rank_test({1, 2, 3}, {4, 5, 6}), 2.0 / 20);
  EXPECT_DOUBLE_EQ(rank_test({1, 2, 3, 4}, {5, 6, 7, 8}), 2.0 / 70);
  EXPECT_DOUBLE_EQ(rank_test({9, 8, 7, 6, 5.5}, {1, 2, 3, 4, 5}), 2.0 / 252);
}

TEST(rank_test, is_what_trying_all_allotments_gives_with_equal_values_too) {
  std::mt19937 random(1);
  for (unsigned i = 0; i < 60; ++i) {
    const sample a = draw(random, 1U + i % 5, 10, 4), b = draw(random, 2U + i % 6, 11, 4);
    EXPECT_NEAR(rank_test(a, b), by_enumeration(a, b), 1e-12);
    EXPECT_NEAR(rank_test(a, b), rank_test(b, a), 1e-12);
  }
}

TEST(rank_test, of_many_values_is_near_the_exact_one) {
  std::mt19937 random(2);
  const sample a = draw(random, 25, 1000, 100), b = draw(random, 25, 1030, 100);
  sample longer = b;
  longer.push_back(b[3]);
  EXPECT_NEAR(rank_test(a, longer), rank_test(a, b), 0.02);
}

TEST(rank_test, finds_nothing_where_nothing_is) {
  EXPECT_DOUBLE_EQ(rank_test({5, 5, 5, 5}, {5, 5, 5, 5}), 1);
  EXPECT_DOUBLE_EQ(rank_test({}, {1}), 1);
  EXPECT_DOUBLE_EQ(rank_test(sample(60, 7), sample(60, 7)), 1);
}

TEST(rank_test, calls_real_what_chance_alone_makes_in_less_than_one_of_twenty_pairs) {
  std::mt19937 random(3);
  for (const std::size_t runs : {4U, 5U, 9U, 30U}) {
    int real = 0;
    constexpr int pairs = 2000;
    for (int i = 0; i < pairs; ++i)
      real += compare_by_ranks(draw(random, runs, 1000, 100), draw(random, runs, 1000, 100)).verdict == chance_verdict::real ? 1 : 0;
    EXPECT_LT(real, pairs * 0.065) << runs;
  }
}

TEST(rank_test, sharpens_with_more_runs) {
  std::mt19937 random(4);
  const auto found = [&](std::size_t runs) {
    int real = 0;
    for (int i = 0; i < 400; ++i)
      real += compare_by_ranks(draw(random, runs, 1000, 100), draw(random, runs, 1060, 100)).verdict == chance_verdict::real ? 1 : 0;
    return real;
  };
  const int with_five = found(5), with_ten = found(10), with_forty = found(40);
  EXPECT_LT(with_five, with_ten);
  EXPECT_LT(with_ten, with_forty);
  EXPECT_GT(with_forty, 380) << "of 400";
}

TEST(rank_test, says_what_it_says) {
  EXPECT_EQ(text_of(compare_by_ranks({1, 2, 3, 4}, {5, 6, 7, 8})), "real (p = 0.029)");
  EXPECT_EQ(text_of(compare_by_ranks({1, 2, 3, 4}, {1, 2, 3, 4})), "within chance (p = 1)");
  EXPECT_EQ(text_of(compare_by_ranks({1, 2, 3}, {5, 6, 7, 8})), "too few runs to tell (4 of each are needed)");
  EXPECT_EQ(text_of(compare_by_ranks(sample(20, 1), sample(20, 2))), "real (p < 0.001)");
}

}  // namespace tcsim::rank_test_test
