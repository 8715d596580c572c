// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/memory/wavefront_schedule.hpp>

namespace tc::memory::bank_calendar_test {
namespace {

TEST(bank_calendar, gives_the_first_free_cycle) {
  bank_calendar banks(1);
  EXPECT_EQ(banks.take(5), 5U);
  EXPECT_EQ(banks.take(7), 7U);
  EXPECT_EQ(banks.take(5), 6U) << "in between";
  EXPECT_EQ(banks.take(5), 8U) << "behind the three";
  EXPECT_EQ(banks.take(1), 1U) << "before them";
}

TEST(bank_calendar, passes_gaps_that_are_too_short) {
  bank_calendar banks(2);
  EXPECT_EQ(banks.take(4), 4U);
  EXPECT_EQ(banks.take(7), 7U);
  EXPECT_EQ(banks.take(5), 9U) << "only cycle 6 is free";
  EXPECT_EQ(banks.take(1), 1U);
  EXPECT_EQ(banks.take(1), 11U) << "only cycle 3 is free";
}

TEST(bank_calendar, gives_nothing_of_the_past) {
  bank_calendar banks(1);
  banks.take(10);
  banks.forget_before(10);
  EXPECT_EQ(banks.take(3), 11U);
  banks.forget_before(4);
  EXPECT_EQ(banks.take(3), 12U) << "what is past stays past";
}

}  // namespace
}  // namespace tc::memory::bank_calendar_test
