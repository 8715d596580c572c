// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/device/cta_barrier.hpp>

namespace tc::device::cta_barrier_test {
namespace {

isa::barrier_arrival all(unsigned barrier) { return {barrier, 0, true}; }
isa::barrier_arrival some(unsigned barrier, unsigned warps) { return {barrier, warps, true}; }
isa::barrier_arrival only_arrives(unsigned barrier, unsigned warps) { return {barrier, warps, false}; }

TEST(cta_barrier, opens_when_the_last_warp_arrives_in_the_cycle_of_the_latest_arrival) {
  cta_barrier barrier(3);
  EXPECT_EQ(barrier.arrive(all(0), 1, 20).warps, 0U);
  EXPECT_EQ(barrier.arrive(all(0), 0, 35).warps, 0U);
  EXPECT_EQ(barrier.missing(0), 0b100U);
  const cta_barrier::release opened = barrier.arrive(all(0), 2, 30);  // reported last, but not the latest
  EXPECT_EQ(opened.warps, 0b111U);
  EXPECT_EQ(opened.cycle, 35U);
  EXPECT_EQ(barrier[0].arrived, 0U);
}

TEST(cta_barrier, can_be_used_again) {
  cta_barrier barrier(2);
  barrier.arrive(all(0), 0, 1);
  barrier.arrive(all(0), 1, 2);
  EXPECT_EQ(barrier.arrive(all(0), 1, 3).warps, 0U);
  EXPECT_EQ(barrier.arrive(all(0), 0, 4).warps, 0b11U);
}

TEST(cta_barrier, does_not_wait_for_a_warp_that_exits) {
  cta_barrier barrier(2);
  EXPECT_EQ(barrier.arrive(all(0), 0, 10).warps, 0U);
  const cta_barrier::release opened = barrier.exit(1, 25);
  EXPECT_EQ(opened.warps, 0b01U);
  EXPECT_EQ(opened.cycle, 25U);
  EXPECT_EQ(barrier.arrive(all(0), 0, 30).warps, 0b01U);
}

TEST(cta_barrier, does_not_open_for_a_warp_that_exited_after_it_arrived) {
  cta_barrier barrier(2);
  barrier.arrive(all(0), 0, 10);
  EXPECT_EQ(barrier.exit(0, 11).warps, 0U);
  EXPECT_EQ(barrier.arrive(all(0), 1, 12).warps, 0b10U);
}

TEST(cta_barrier, keeps_barriers_apart) {
  cta_barrier barrier(2);
  EXPECT_EQ(barrier.arrive(all(0), 0, 1).warps, 0U);
  EXPECT_EQ(barrier.arrive(all(5), 1, 2).warps, 0U);
  EXPECT_EQ(barrier.missing(0), 0b10U);
  EXPECT_EQ(barrier.missing(5), 0b01U);
}

TEST(cta_barrier, holds_the_largest_block) {
  cta_barrier barrier(32);
  for (unsigned warp = 0; warp < 31; ++warp) EXPECT_EQ(barrier.arrive(all(0), warp, warp).warps, 0U);
  EXPECT_EQ(barrier.arrive(all(0), 31, 31).warps, 0xffffffffU);
}

TEST(cta_barrier, of_some_warps_opens_when_as_many_have_arrived) {
  cta_barrier barrier(8);
  EXPECT_EQ(barrier.arrive(some(1, 3), 6, 40).warps, 0U);
  EXPECT_EQ(barrier.arrive(some(1, 3), 2, 20).warps, 0U);
  const cta_barrier::release opened = barrier.arrive(some(1, 3), 3, 30);
  EXPECT_EQ(opened.warps, 0b1001100U);
  EXPECT_EQ(opened.cycle, 40U);
  EXPECT_EQ(barrier[1].arrivals, 0U);
  EXPECT_EQ(barrier.arrive(some(1, 2), 0, 50).warps, 0U) << "the next time for others";
}

TEST(cta_barrier, lets_go_those_that_wait) {
  cta_barrier barrier(4);
  EXPECT_EQ(barrier.arrive(only_arrives(2, 3), 0, 10).warps, 0U);
  EXPECT_EQ(barrier.arrive(some(2, 3), 1, 11).warps, 0U);
  EXPECT_EQ(barrier.arrive(only_arrives(2, 3), 3, 12).warps, 0b0010U);
  EXPECT_EQ(barrier.arrive(only_arrives(2, 1), 3, 13).warps, 0U) << "opens for nobody";
  EXPECT_EQ(barrier[2].arrivals, 0U);
}

// On an H100, a warp that arrives twice counts twice, and one that has exited only if it arrived before.
TEST(cta_barrier, of_some_warps_counts_arrivals) {
  cta_barrier barrier(4);
  barrier.arrive(only_arrives(1, 3), 0, 10);
  barrier.arrive(only_arrives(1, 3), 0, 11);
  EXPECT_EQ(barrier.exit(0, 12).warps, 0U);
  EXPECT_EQ(barrier.arrive(some(1, 3), 1, 13).warps, 0b10U);
  EXPECT_EQ(barrier.arrive(some(1, 2), 1, 14).warps, 0U) << "warp 0 has exited";
  EXPECT_EQ(barrier.exit(2, 15).warps, 0U);
  EXPECT_EQ(barrier.exit(3, 16).warps, 0U);
}

TEST(cta_barrier, knows_who_waits_for_something_else) {
  cta_barrier barrier(4);
  EXPECT_TRUE(barrier.agrees(some(1, 2)));
  barrier.arrive(some(1, 2), 0, 10);
  EXPECT_TRUE(barrier.agrees(only_arrives(1, 2)));
  EXPECT_FALSE(barrier.agrees(some(1, 3)));
  EXPECT_FALSE(barrier.agrees(all(1)));
  EXPECT_TRUE(barrier.agrees(all(2)));
  barrier.arrive(all(2), 0, 10);
  EXPECT_FALSE(barrier.agrees(some(2, 4))) << "an H100 takes all warps and their number for different things";
}

}  // namespace
}  // namespace tc::device::cta_barrier_test
