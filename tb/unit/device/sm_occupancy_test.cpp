// SPDX-License-Identifier: Apache-2.0
#include <set>

#include <gtest/gtest.h>

#include <tc/device/sm_occupancy.hpp>

#include "expect_assertion.hpp"

namespace tc::device::sm_occupancy_test {
namespace {

config::sm_parameters small_sm() {
  config::sm_parameters machine;
  machine.sub_cores = 4;
  machine.max_warps = 32;
  machine.max_ctas = 16;
  machine.shared_memory.bytes = 65536;
  machine.sub_core.register_file.warp_registers = 512;
  return machine;
}

TEST(sm_occupancy, warps_limit_how_many_ctas_are_resident) {
  EXPECT_EQ(sm_occupancy::capacity({4, 32, 0}, small_sm()), 8U);
  EXPECT_EQ(sm_occupancy::capacity({16, 32, 0}, small_sm()), 2U);
}

TEST(sm_occupancy, every_cta_puts_its_first_warp_into_sub_core_0) { EXPECT_EQ(sm_occupancy::capacity({1, 32, 0}, small_sm()), 8U); }

TEST(sm_occupancy, cta_slots_limit_how_many_ctas_are_resident) {
  config::sm_parameters machine = small_sm();
  machine.max_ctas = 3;
  EXPECT_EQ(sm_occupancy::capacity({1, 32, 0}, machine), 3U);
}

TEST(sm_occupancy, registers_limit_how_many_ctas_are_resident) {
  EXPECT_EQ(sm_occupancy::capacity({4, 128, 0}, small_sm()), 4U);
  EXPECT_EQ(sm_occupancy::capacity({4, 129, 0}, small_sm()), 3U);  // in units of 8
  EXPECT_EQ(sm_occupancy::capacity({4, 255, 0}, small_sm()), 2U);
}

TEST(sm_occupancy, shared_memory_limits_how_many_ctas_are_resident) {
  EXPECT_EQ(sm_occupancy::capacity({1, 32, 32768}, small_sm()), 2U);
  EXPECT_EQ(sm_occupancy::capacity({1, 32, 32769}, small_sm()), 1U);
}

TEST(sm_occupancy, windows_are_aligned_and_do_not_overlap) {
  const config::sm_parameters machine = small_sm();
  sm_occupancy occupancy(machine);
  std::set<std::uint64_t> bases;
  for (int i = 0; i < 4; ++i) bases.insert(occupancy.take({1, 32, 1000}).shared_base);
  EXPECT_EQ(bases, (std::set<std::uint64_t>{0, 1024, 2048, 3072}));
}

TEST(sm_occupancy, a_released_place_is_taken_again) {
  const config::sm_parameters machine = small_sm();
  sm_occupancy occupancy(machine);
  const cta_demand demand{16, 32, 20000};
  const auto first = occupancy.take(demand);
  const auto second = occupancy.take(demand);
  EXPECT_FALSE(occupancy.fits(demand));
  occupancy.release(first.cta_slot);
  ASSERT_TRUE(occupancy.fits(demand));
  const auto third = occupancy.take(demand);
  EXPECT_EQ(third.cta_slot, first.cta_slot);
  EXPECT_EQ(third.shared_base, first.shared_base);
  occupancy.release(second.cta_slot);
  occupancy.release(third.cta_slot);
  EXPECT_EQ(occupancy.resident(), 0U);
}

TEST(sm_occupancy, never_holds_more_than_there_is_room_for) {
  const config::sm_parameters machine = small_sm();
  sm_occupancy occupancy(machine);
  const cta_demand demand{16, 32, 40000};
  const auto first = occupancy.take(demand);
  EXPECT_ASSERTION(occupancy.take(demand), "fits");
  occupancy.release(first.cta_slot);
  EXPECT_ASSERTION(occupancy.release(first.cta_slot), "taken");
}

TEST(sm_occupancy, a_refusal_names_the_limit) {
  EXPECT_EQ(sm_occupancy::refusal({32, 64, 65536}, small_sm()), "");
  config::sm_parameters machine = small_sm();
  machine.max_warps = 16;
  EXPECT_NE(sm_occupancy::refusal({32, 16, 0}, machine).find("sm.max_warps = 16"), std::string::npos);
  EXPECT_NE(sm_occupancy::refusal({1, 16, 65537}, small_sm()).find("sm.shared_memory.bytes = 65536"), std::string::npos);
  EXPECT_NE(sm_occupancy::refusal({32, 72, 0}, small_sm()).find("warp_registers = 512"), std::string::npos);
}

}  // namespace
}  // namespace tc::device::sm_occupancy_test
