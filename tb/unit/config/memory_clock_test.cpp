// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/config/memory_clock.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/presets.hpp>

namespace memory_clock_test {

using namespace tc::config;

TEST(memory_clock, of_presets_and_products_leaves_every_latency_as_it_is) {
  std::vector<std::string> names = preset_names();
  for (const std::string& product : product_names()) names.push_back(product);
  for (const std::string& name : names) {
    machine one = load_configuration(name);
    EXPECT_DOUBLE_EQ(sm_cycles_of_memory_cycle(one), 1) << name;
    one.global_memory.clock_mhz = one.clock_mhz;
    EXPECT_EQ(to_text(in_sm_cycles(one)), to_text(one)) << name;
  }
}

TEST(memory_clock, makes_what_lies_behind_the_sms_as_long_as_before_in_time) {
  const machine before = load_configuration("hopper");
  const machine after = in_sm_cycles(load_configuration("hopper", {"clock_mhz=3660"}));
  const auto &was = before.global_memory, &is = after.global_memory;
  EXPECT_EQ(is.latency_cycles, 2 * was.latency_cycles);
  EXPECT_EQ(is.hierarchy.l2_hit_cycles, 2 * was.hierarchy.l2_hit_cycles);
  EXPECT_EQ(is.hierarchy.l2_miss_cycles, 2 * was.hierarchy.l2_miss_cycles);
  EXPECT_EQ(is.hierarchy.translation.miss_cycles, 2 * was.hierarchy.translation.miss_cycles);
  EXPECT_EQ(is.hierarchy.l1_hit_cycles, was.hierarchy.l1_hit_cycles) << "it is in the SM";
  EXPECT_DOUBLE_EQ(*is.peak.l2_bytes_per_cycle, *was.peak.l2_bytes_per_cycle / 2);
  const auto &constants = after.sm.sub_core.constant_cache, &constants_before = before.sm.sub_core.constant_cache;
  EXPECT_EQ(constants.l15_hit_cycles, constants_before.l15_hit_cycles);
  EXPECT_EQ(constants.l2_hit_cycles - constants.l15_hit_cycles, 2 * (constants_before.l2_hit_cycles - constants_before.l15_hit_cycles));
}

TEST(memory_clock, leaves_no_latency_without_a_cycle) {
  const machine slow = in_sm_cycles(load_configuration("hopper", {"clock_mhz=0.001"}));
  EXPECT_EQ(slow.global_memory.latency_cycles, 1U);
  const machine fast = in_sm_cycles(load_configuration("hopper", {"clock_mhz=1000000", "global_memory.clock_mhz=0.000001"}));
  EXPECT_EQ(fast.global_memory.latency_cycles, 0xffffffffU);
}

TEST(memory_clock, makes_no_preset_another_machine_by_its_clocks) {
  EXPECT_TRUE(has_preset_timing(load_configuration("hopper", {"clock_mhz=2000"})));
  EXPECT_TRUE(has_preset_timing(load_configuration("hopper", {"global_memory.clock_mhz=2000"})));
}

TEST(memory_clock, is_above_zero) {
  EXPECT_ANY_THROW(load_configuration("hopper", {"global_memory.clock_mhz=0"}));
  EXPECT_ANY_THROW(load_configuration("hopper", {"global_memory.clock_mhz=1000001"}));
  EXPECT_NO_THROW(load_configuration("hopper", {"global_memory.clock_mhz=null"}));
}

}  // namespace memory_clock_test
