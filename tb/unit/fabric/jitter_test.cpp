// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include <tc/fabric/jitter.hpp>

namespace tc::fabric::jitter_test {
namespace {

TEST(jitter, draws_nothing_without_a_seed) {
  for (unsigned i = 0; i < 100; ++i) EXPECT_EQ(jitter().draw(1000, i), 0U);
  EXPECT_FALSE(jitter(0).is_on());
}

TEST(jitter, draws_the_same_for_the_same_seed_and_numbers) {
  const jitter one(7), same(7), other(8);
  unsigned equal = 0;
  for (unsigned i = 0; i < 1000; ++i) {
    EXPECT_EQ(one.draw(1000, i, 3), same.draw(1000, i, 3));
    equal += one.draw(1000, i, 3) == other.draw(1000, i, 3) ? 1U : 0U;
  }
  EXPECT_LT(equal, 10U);
}

TEST(jitter, draws_every_number_up_to_the_largest_about_equally_often) {
  const jitter chance(1);
  unsigned often[4] = {};
  for (unsigned i = 0; i < 4000; ++i) ++often[chance.draw(3, i)];
  for (const unsigned count : often) EXPECT_NEAR(count, 1000, 150);
}

TEST(jitter, tells_the_order_of_numbers_apart) {
  const jitter chance(1);
  std::set<std::uint64_t> seen;
  for (unsigned i = 0; i < 30; ++i)
    for (unsigned j = 0; j < 30; ++j) seen.insert(chance.draw(~std::uint64_t{0} - 1, i, j));
  EXPECT_EQ(seen.size(), 900U);
}

}  // namespace
}  // namespace tc::fabric::jitter_test
