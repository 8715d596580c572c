// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/tmem/time_in_use.hpp>

namespace tc::tmem::time_in_use_test {
namespace {

TEST(time_in_use, counts_cycles_of_several_users_once) {
  time_in_use use;
  use.add(10, 20);
  use.add(15, 30);
  use.add(12, 14);
  EXPECT_EQ(use.cycles(), 20U);
}

TEST(time_in_use, takes_intervals_in_any_order) {
  time_in_use use;
  use.add(40, 50);
  use.add(0, 10);
  EXPECT_EQ(use.cycles(), 20U);
  use.add(5, 45);
  EXPECT_EQ(use.cycles(), 50U);
}

TEST(time_in_use, counts_what_it_has_forgotten) {
  time_in_use use;
  for (fabric::cycle_t begin = 0; begin < 1000; begin += 10) use.add(begin, begin + 3);
  EXPECT_EQ(use.cycles(), 300U);
}

}  // namespace
}  // namespace tc::tmem::time_in_use_test
