// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include <tc/subcore/pipes/load_store_queue.hpp>

#include "expect_assertion.hpp"

namespace tc::subcore::load_store_queue_test {
namespace {

std::unique_ptr<links::warp_instruction> dispatched_in(cycle_t cycle) {
  auto instruction = std::make_unique<links::warp_instruction>();
  instruction->dispatch = cycle;
  return instruction;
}

TEST(load_store_queue, has_room_until_it_is_full) {
  load_store_queue queue(2);
  const auto a = dispatched_in(10), b = dispatched_in(11);
  EXPECT_EQ(queue.earliest(10), 10U);
  queue.push(*a);
  EXPECT_EQ(queue.earliest(11), 11U);
  queue.push(*b);
  EXPECT_EQ(queue.times_full(), 1U);
  EXPECT_EQ(queue.earliest(12), 13U) << "nobody knows: ask again";
}

TEST(load_store_queue, has_room_when_the_next_one_leaves) {
  load_store_queue queue(2);
  const auto a = dispatched_in(10), b = dispatched_in(11), c = dispatched_in(20);
  queue.push(*a);
  queue.push(*b);
  queue.operands_ready(*a);
  EXPECT_EQ(queue.pop(), a.get());
  EXPECT_EQ(queue.earliest(12), 13U) << "popped, but not known when it leaves";
  queue.left(20);
  EXPECT_EQ(queue.earliest(12), 20U);
  EXPECT_EQ(queue.earliest(25), 25U);
  queue.push(*c);
  EXPECT_EQ(queue.earliest(20), 21U);
}

TEST(load_store_queue, keeps_the_order_of_issue) {
  load_store_queue queue(3);
  const auto a = dispatched_in(10), b = dispatched_in(11);
  queue.push(*a);
  queue.push(*b);
  queue.operands_ready(*b);
  EXPECT_EQ(queue.pop(), nullptr) << "the first has no operands yet";
  queue.operands_ready(*a);
  EXPECT_EQ(queue.pop(), a.get());
  EXPECT_EQ(queue.pop(), b.get());
  EXPECT_EQ(queue.pop(), nullptr);
}

TEST(load_store_queue, orders_departures_by_time) {
  load_store_queue queue(2);
  const auto a = dispatched_in(10), b = dispatched_in(11);
  for (const auto& i : {a.get(), b.get()}) {
    queue.push(*i);
    queue.operands_ready(*i);
    queue.pop();
  }
  queue.left(40);
  queue.left(30);
  EXPECT_EQ(queue.earliest(12), 30U);
  EXPECT_EQ(queue.earliest(35), 35U);
}

TEST(load_store_queue, never_holds_more_than_its_entries) {
  load_store_queue queue(2);
  const auto a = dispatched_in(10), b = dispatched_in(11), c = dispatched_in(12);
  queue.push(*a);
  queue.push(*b);
  EXPECT_ASSERTION(queue.push(*c), "unknown..");
}

TEST(load_store_queue, is_told_of_each_instruction_once) {
  load_store_queue queue(3);
  const auto a = dispatched_in(10), b = dispatched_in(11);
  queue.push(*a);
  queue.push(*b);
  queue.operands_ready(*b);
  EXPECT_ASSERTION(queue.operands_ready(*b), "!found->ready");
  EXPECT_ASSERTION(queue.left(20), "popped_ > 0");
}

}  // namespace
}  // namespace tc::subcore::load_store_queue_test
