// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/excess_traffic.hpp>
#include <tc/accounting/statistics_document.hpp>

#include "test_machine.hpp"

namespace tc::device::test::excess_traffic_test {
namespace {

using accounting::excess_traffic;
using accounting::excess_traffic_of;
using accounting::shared_level;

/// A machine of 1000 MHz, whose part reads 100 bytes from DRAM and 400 from the L2 cache in a cycle.
config::machine part() {
  config::machine machine;
  machine.clock_mhz = 1000;
  machine.global_memory.peak = {100.0, 400.0};
  return machine;
}

accounting::kernel_result kernel_of(cycle_t cycles, const accounting::memory_traffic& traffic) {
  accounting::kernel_result kernel;
  kernel.start = 50;
  kernel.end = 50 + cycles;
  kernel.traffic = traffic;
  return kernel;
}

TEST(excess_traffic, is_what_a_kernel_draws_faster_than_the_part) {
  const std::vector<excess_traffic> found = excess_traffic_of(kernel_of(1000, {500000, 150001, 0}), part());
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].from, shared_level::l2);
  EXPECT_EQ(accounting::text(found[0]),
            "implies 500.0 GB/s from the L2 cache, 1.25 times the 400.0 GB/s of the part: 500.0 kB take at least 1250 cycles");
  EXPECT_EQ(found[1].from, shared_level::dram);
  EXPECT_EQ(found[1].bytes, 150001U);
  EXPECT_EQ(found[1].least_cycles, 1501U) << "rounded up";
  EXPECT_NEAR(found[1].factor(), 1.5, 1e-4);
}

TEST(excess_traffic, is_none_of_a_kernel_that_takes_what_there_is) {
  EXPECT_TRUE(excess_traffic_of(kernel_of(1000, {400000, 100000, 0}), part()).empty());
  EXPECT_TRUE(excess_traffic_of(kernel_of(0, {}), part()).empty());
}

TEST(excess_traffic, counts_of_writes_what_the_l2_cache_cannot_keep) {
  config::machine machine = part();
  machine.global_memory.hierarchy.l2.bytes = 1U << 20;
  EXPECT_TRUE(excess_traffic_of(kernel_of(1000, {0, 0, 1U << 20}), machine).empty());
  const std::vector<excess_traffic> found = excess_traffic_of(kernel_of(1000, {0, 1000, (1U << 20) + 200000}), machine);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].bytes, 201000U);
}

TEST(excess_traffic, is_none_of_a_part_whose_bandwidth_is_not_known) {
  config::machine machine = part();
  machine.global_memory.peak = {};
  EXPECT_TRUE(excess_traffic_of(kernel_of(1, {1U << 30, 1U << 30, 1U << 30}), machine).empty());
}

/// A warp loads so many lines.
std::string loads(unsigned lines) {
  std::string text = kernel_header(1, 1, "memory 0x10000 65536 zero\n", "sm_90") + cta_line(0) + warp_line(0) + "reg R2 0\nreg R3 0\n";
  for (unsigned i = 0; i < lines; ++i)
    text += fmt::format("/*{:04x}*/ [B------:R-:W0:-:S02] LDG.E R4, [R2] @ {:#x}+4\n", i * 16, 0x10000 + i * 128);
  return text + fmt::format("/*{:04x}*/ [B0-----:R-:W-:-:S05] EXIT\n", lines * 16);
}

TEST(excess_traffic, counts_each_kernel_alone) {
  const config::machine machine = preset("hopper", {"global_memory.peak.dram_gb_per_second=0.001"});
  test_machine runs(machine, {loads(4), loads(6)});
  const accounting::run_result result = runs.run();
  EXPECT_EQ(result.kernels[0].traffic.read_from_l2, 4U * 128);
  EXPECT_EQ(result.kernels[0].traffic.read_from_dram, 4U * 128);
  EXPECT_EQ(result.kernels[1].traffic.read_from_l2, 6U * 128) << "its L1 cache is empty";
  EXPECT_EQ(result.kernels[1].traffic.read_from_dram, 2U * 128) << "the others are in the L2 cache";
  const boost::json::object document = accounting::statistics_document(result, machine, {"", 0});
  const boost::json::array& entries = document.at("beyond_the_model").as_array();
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[1].at("kernel"), 1);
  EXPECT_EQ(entries[1].at("memory"), "dram");
  EXPECT_EQ(entries[1].at("bytes"), 256);
}

TEST(excess_traffic, is_not_known_of_a_memory_of_fixed_latency) {
  const config::machine machine =
      preset("hopper", {"global_memory.peak.dram_gb_per_second=0.001", "global_memory.hierarchy.enabled=false"});
  test_machine runs(machine, {loads(4)});
  const accounting::run_result result = runs.run();
  EXPECT_EQ(result.kernels[0].traffic.read_from_l2, 0U);
  EXPECT_FALSE(accounting::statistics_document(result, machine, {"", 0}).contains("beyond_the_model"));
}

}  // namespace
}  // namespace tc::device::test::excess_traffic_test
