// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <malloc.h>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tc/subcore/operands/bank_rows.hpp>

namespace tc::subcore::bank_rows_test {
namespace {

using fabric::cycle_t;

constexpr std::uint32_t all = bank_rows::all_lanes;

void send(bank_rows& rows, std::size_t row, cycle_t arrival, std::uint32_t value, cycle_t now = 0, std::uint32_t lanes = all) {
  rows.lend(now) = warp::broadcast(value);
  rows.send(row, arrival, lanes, now);
}

warp::lane_vector ahead(const bank_rows& rows, std::size_t row, cycle_t cycle) {
  warp::lane_vector room;
  return rows.look_ahead(row, cycle, room);
}

TEST(bank_rows, are_zero_at_first) {
  bank_rows rows(3);
  for (std::size_t row = 0; row < rows.count(); ++row) EXPECT_EQ(*rows.at(row, 5), warp::lane_vector{});
}

TEST(bank_rows, have_the_old_value_until_the_next_arrives) {
  bank_rows rows(2);
  send(rows, 1, 4, 7);
  send(rows, 1, 6, 8);
  EXPECT_EQ(*rows.at(1, 3), warp::lane_vector{});
  EXPECT_EQ(ahead(rows, 1, 5), warp::broadcast(7));
  EXPECT_EQ(ahead(rows, 1, 6), warp::broadcast(8));
  EXPECT_EQ(*rows.at(1, 3), warp::lane_vector{}) << "looking ahead brings nothing";
  EXPECT_EQ(*rows.at(1, 4), warp::broadcast(7));
  EXPECT_EQ(*rows.at(1, 6), warp::broadcast(8));
  EXPECT_EQ(*rows.at(0, 6), warp::lane_vector{}) << "another row";
}

TEST(bank_rows, take_values_in_the_order_of_arrival_and_then_of_the_calls) {
  bank_rows rows(1);
  send(rows, 0, 9, 1);
  send(rows, 0, 5, 2);
  send(rows, 0, 9, 3);
  EXPECT_EQ(*rows.at(0, 5), warp::broadcast(2));
  EXPECT_EQ(*rows.at(0, 9), warp::broadcast(3));
}

TEST(bank_rows, change_in_the_lanes_that_are_written) {
  bank_rows rows(1);
  send(rows, 0, 1, 5);
  send(rows, 0, 2, 6, 0, 0x80000001);
  warp::lane_vector expected = warp::broadcast(5);
  expected[0] = expected[31] = 6;
  EXPECT_EQ(ahead(rows, 0, 2), expected);
  EXPECT_EQ(*rows.at(0, 2), expected);
}

TEST(bank_rows, take_whole_values_without_copying_them) {
  bank_rows rows(1);
  warp::lane_vector& lent = rows.lend(0);
  lent = warp::broadcast(3);
  rows.send(0, 1, all, 0);
  EXPECT_EQ(rows.at(0, 1), &lent);
}

TEST(bank_rows, give_out_the_memory_of_old_values_again) {
  bank_rows rows(8);
  std::vector<const warp::lane_vector*> lent;
  for (std::uint32_t i = 0; i < 100; ++i) {  // of which one is on its way at a time
    warp::lane_vector& memory = rows.lend(i);
    lent.push_back(&memory);
    memory = warp::broadcast(i);
    rows.send(i % 8, i + 1, all, i);
  }
  std::sort(lent.begin(), lent.end());
  EXPECT_LE(std::unique(lent.begin(), lent.end()) - lent.begin(), 10);
  for (std::uint32_t i = 92; i < 100; ++i) EXPECT_EQ(*rows.at(i % 8, 100), warp::broadcast(i));
}

/// A row that is read as often as it is written: no more memory is wanted, and yet what was sent must be forgotten.
TEST(bank_rows, take_no_more_memory_the_longer_they_are_used) {
  bank_rows rows(1);
  const auto use = [&rows](cycle_t from, cycle_t cycles) {
    for (cycle_t cycle = from; cycle < from + cycles; ++cycle) {
      rows.at(0, cycle);
      send(rows, 0, cycle + 20, static_cast<std::uint32_t>(cycle), cycle);
    }
  };
  const auto allocated = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  use(0, 1000);
  const std::size_t before = allocated();
  use(1000, 100000);
  EXPECT_EQ(allocated(), before);
}

TEST(bank_rows, are_lent_together_and_sent_in_that_order) {
  bank_rows rows(2);
  warp::lane_vector &first = rows.lend(0), &second = rows.lend(0);
  first = warp::broadcast(1);
  second = warp::broadcast(2);
  rows.send(1, 3, all, 0);
  rows.send(0, 3, all, 0);
  EXPECT_EQ(*rows.at(1, 3), warp::broadcast(1));
  EXPECT_EQ(*rows.at(0, 3), warp::broadcast(2));
}

TEST(bank_rows, forget_all) {
  bank_rows rows(1);
  send(rows, 0, 1, 5);
  EXPECT_EQ(*rows.at(0, 1), warp::broadcast(5));
  send(rows, 0, 2, 6);
  rows.clear();
  EXPECT_EQ(*rows.at(0, 2), warp::lane_vector{});
  send(rows, 0, 3, 7);
  EXPECT_EQ(*rows.at(0, 3), warp::broadcast(7));
}

/// Results of one latency and others that are known long ahead, of whole rows and parts, against writes that are all carried out in time.
TEST(bank_rows, agree_with_rows_that_are_written_cycle_by_cycle) {
  struct write {
    std::size_t row;
    std::uint32_t value, lanes;
  };
  constexpr cycle_t end = 3000, longest = 300;
  std::mt19937 random(3);
  bank_rows rows(7);
  std::array<warp::lane_vector, 7> expected{};
  std::vector<std::vector<write>> by_arrival(end + longest);
  std::uint32_t number = 0;
  for (cycle_t cycle = 0; cycle < end; ++cycle) {
    for (const write& arrived : by_arrival[cycle])
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        if ((arrived.lanes >> lane & 1U) != 0) expected[arrived.row][lane] = arrived.value;
    for (auto reads = random() % 3; reads != 0; --reads) {
      const std::size_t row = random() % expected.size();
      ASSERT_EQ(*rows.at(row, cycle), expected[row]) << "row " << row << " in cycle " << cycle;
    }
    for (auto sent = random() % 3; sent != 0; --sent) {
      const cycle_t arrival = cycle + 1 + (random() % 3 != 0 ? 33 : random() % (longest - 1));
      const write added{random() % expected.size(), ++number, random() % 4 != 0 ? all : static_cast<std::uint32_t>(random())};
      send(rows, added.row, arrival, added.value, cycle, added.lanes);
      by_arrival[arrival].push_back(added);
    }
  }
}

}  // namespace
}  // namespace tc::subcore::bank_rows_test
