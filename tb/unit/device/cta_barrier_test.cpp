#include <gtest/gtest.h>

#include <tc/device/cta_barrier.hpp>

namespace tc::device {
namespace {

TEST(cta_barrier, opens_when_the_last_warp_arrives_in_the_cycle_of_the_latest_arrival) {
  cta_barrier barrier(3);
  EXPECT_EQ(barrier.arrive(0, 1, 20).warps, 0U);
  EXPECT_EQ(barrier.arrive(0, 0, 35).warps, 0U);
  EXPECT_EQ(barrier.missing(0), 0b100U);
  const cta_barrier::release opened = barrier.arrive(0, 2, 30);  // reported last, but not the latest
  EXPECT_EQ(opened.warps, 0b111U);
  EXPECT_EQ(opened.cycle, 35U);
  EXPECT_EQ(barrier.arrived(0), 0U);
}

TEST(cta_barrier, can_be_used_again) {
  cta_barrier barrier(2);
  barrier.arrive(0, 0, 1);
  barrier.arrive(0, 1, 2);
  EXPECT_EQ(barrier.arrive(0, 1, 3).warps, 0U);
  EXPECT_EQ(barrier.arrive(0, 0, 4).warps, 0b11U);
}

TEST(cta_barrier, does_not_wait_for_a_warp_that_exits) {
  cta_barrier barrier(2);
  EXPECT_EQ(barrier.arrive(0, 0, 10).warps, 0U);
  const cta_barrier::release opened = barrier.exit(1, 25);
  EXPECT_EQ(opened.warps, 0b01U);
  EXPECT_EQ(opened.cycle, 25U);
  EXPECT_EQ(barrier.arrive(0, 0, 30).warps, 0b01U);
}

TEST(cta_barrier, does_not_open_for_a_warp_that_exited_after_it_arrived) {
  cta_barrier barrier(2);
  barrier.arrive(0, 0, 10);
  EXPECT_EQ(barrier.exit(0, 11).warps, 0U);
  EXPECT_EQ(barrier.arrive(0, 1, 12).warps, 0b10U);
}

TEST(cta_barrier, keeps_barriers_apart) {
  cta_barrier barrier(2);
  EXPECT_EQ(barrier.arrive(0, 0, 1).warps, 0U);
  EXPECT_EQ(barrier.arrive(5, 1, 2).warps, 0U);
  EXPECT_EQ(barrier.missing(0), 0b10U);
  EXPECT_EQ(barrier.missing(5), 0b01U);
}

TEST(cta_barrier, holds_the_largest_block) {
  cta_barrier barrier(32);
  for (unsigned warp = 0; warp < 31; ++warp) EXPECT_EQ(barrier.arrive(0, warp, warp).warps, 0U);
  EXPECT_EQ(barrier.arrive(0, 31, 31).warps, 0xffffffffU);
}

}  // namespace
}  // namespace tc::device
