#include <map>
#include <random>

#include <gtest/gtest.h>

#include <tc/subcore/operands/rows_in_flight.hpp>

namespace {

using namespace tc::subcore;

/// Results of one latency, and others that are known long ahead.
TEST(rows_in_flight, leave_in_the_order_of_arrival_and_then_of_the_calls) {
  std::mt19937 random(3);
  rows_in_flight rows;
  std::multimap<tc::fabric::cycle_t, std::uint32_t> expected;  // those that arrive together in the order in which they came
  lane_vector memory{}, *row = &memory;
  std::uint32_t number = 0;
  for (tc::fabric::cycle_t cycle = 0; cycle < 3000; ++cycle) {
    for (auto added = random() % 3; added != 0; --added) {
      const tc::fabric::cycle_t arrival = cycle + (random() % 3 != 0 ? 33 : random() % 300);
      rows.add(arrival, number % 7, 0xffffffff) = broadcast(number);
      expected.emplace(arrival, number++);
    }
    for (; rows.is_due(cycle); expected.erase(expected.begin())) {
      ASSERT_FALSE(expected.empty());
      EXPECT_EQ(rows.first().arrival, expected.begin()->first);
      EXPECT_EQ(rows.first().row, expected.begin()->second % 7);
      EXPECT_EQ(*rows.first().value, broadcast(expected.begin()->second));
      if (random() % 2 == 0) {
        rows.remove_first();
        continue;
      }
      row = rows.exchange_first(row);
      EXPECT_EQ(*row, broadcast(expected.begin()->second));
    }
    ASSERT_TRUE(expected.empty() || expected.begin()->first > cycle);
  }
}

}  // namespace
