// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test_machine.hpp"

namespace tc::device::test::memory_clock_run_test {
namespace {

/// Sixteen loads, each of which waits for the one before.
cycle_t cycles_of_loads(const std::vector<std::string>& assignments) {
  std::string text = kernel_header(1, 1, "memory 0x1000 4096 zero\n") + cta_line(0) + warp_line(0);
  for (unsigned i = 0; i < 16; ++i) text += fmt::format("/*{:04x}*/ LDG.E.SYS R2, [R2] mask 00000001 @ {:#x}\n", 16 * i, 0x1000 + 128 * i);
  run_options options;
  options.data = false;
  return test_machine(preset("turing", assignments), {text + "/*0200*/ EXIT\n"}, options).run().cycles;
}

constexpr cycle_t loads = 16, latency = 216;
// One run for each process: what changes is told by the latency, which is known.
const std::vector<std::string> flat{"global_memory.hierarchy.enabled=false", "global_memory.clock_mhz=1590", "clock_mhz=1590"};
const std::vector<std::string> twice{"global_memory.hierarchy.enabled=false", "global_memory.clock_mhz=1590", "clock_mhz=3180"};
const std::vector<std::string> half{"global_memory.hierarchy.enabled=false", "global_memory.clock_mhz=1590", "clock_mhz=795"};
const std::vector<std::string> none{"global_memory.hierarchy.enabled=false", "global_memory.clock_mhz=null", "clock_mhz=3180"};

constexpr cycle_t pipeline = 1000;  ///< of all loads together, at most

TEST(memory_clock_run, of_the_sms_takes_the_latencies_as_they_are) {
  const cycle_t cycles = cycles_of_loads(flat);
  EXPECT_GT(cycles, loads * latency);
  EXPECT_LT(cycles, loads * latency + pipeline);
}

TEST(memory_clock_run, half_as_fast_as_the_sms_takes_twice_as_many_of_their_cycles) {
  const cycle_t cycles = cycles_of_loads(twice);
  EXPECT_GT(cycles, loads * 2 * latency);
  EXPECT_LT(cycles, loads * 2 * latency + pipeline);
}

TEST(memory_clock_run, twice_as_fast_as_the_sms_takes_half_as_many) {
  const cycle_t cycles = cycles_of_loads(half);
  EXPECT_GT(cycles, loads * latency / 2);
  EXPECT_LT(cycles, loads * latency / 2 + pipeline);
}

TEST(memory_clock_run, is_that_of_the_sms_where_it_is_null) { EXPECT_LT(cycles_of_loads(none), loads * latency + pipeline); }

}  // namespace
}  // namespace tc::device::test::memory_clock_run_test
