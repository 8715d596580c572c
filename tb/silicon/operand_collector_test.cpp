// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "recorded_run.hpp"

namespace operand_collector_test {

namespace {

using namespace tc;
using fabric::cycle_t;

/// Four warps of FFMA with three even source registers, on configs/collectors.json: bank = (register + warp) modulo 4.
struct ffma_run {
  cycle_t cycles = 0;  ///< from the first to the last issue of any warp
  std::uint64_t collector_full = 0;
};

constexpr unsigned instructions = 64;

ffma_run run_ffma(unsigned collector_units, unsigned sub_cores) {
  std::vector<std::string> stream;
  for (unsigned i = 0; i < instructions; ++i) stream.push_back("FFMA R" + std::to_string(16 + i % 32) + ", R2, R4, R6");
  const auto trace = silicon::make_trace("sm_75", {stream, stream, stream, stream});
  device::run_options options;
  options.data = false;
  const auto machine = silicon::machine_of("collectors", {"sm.sub_core.operand_fetch.collector_units=" + std::to_string(collector_units),
                                                          "sm.sub_cores=" + std::to_string(sub_cores)});
  const auto result = silicon::run(trace, machine, options);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ffma_run run;
  cycle_t first = ~cycle_t{0}, last = 0;
  for (const auto& warp : result.warps) {
    first = std::min(first, warp.first_issue);
    last = std::max(last, warp.last_issue - 1);  // EXIT follows the last FFMA
  }
  run.cycles = last - first + 1;
  run.collector_full = result.stalls[links::stall_cause::collector_full];
  return run;
}

// By hand: an FFMA issued in cycle t asks its banks in t + 1. R2 and R6 lie in one bank, which delivers one register a cycle, so the
// operands are complete at the end of t + 2; it dispatches in t + 3, and the unit takes the next one in t + 4.
TEST(operand_collector, with_one_unit_takes_four_cycles_an_instruction) { EXPECT_EQ(run_ffma(1, 4).cycles, 4 * instructions - 3); }

// The bank of R2 and R6 delivers two registers for each instruction.
TEST(operand_collector, with_two_units_reaches_the_bound_of_the_bank) {
  const auto run = run_ffma(2, 4);
  EXPECT_LE(run.cycles, 2 * instructions + 4);
  EXPECT_GE(run.cycles, 2 * instructions - 2);
}

// Four warps of one sub-core spread over all banks, which need three cycles for the twelve registers of four instructions: the scheduler's
// one instruction a cycle is the bound that enough units reach.
TEST(operand_collector, units_hide_the_gathering_of_other_warps_1) { EXPECT_EQ(run_ffma(1, 1).cycles, 4 * 4 * instructions - 3); }
TEST(operand_collector, units_hide_the_gathering_of_other_warps_2) {
  const auto run = run_ffma(2, 1);
  EXPECT_LE(run.cycles, 2 * 4 * instructions + 8);
  EXPECT_GT(run.collector_full, 0u);
}
// Each unit has an instruction for four cycles, so three issue three in four cycles, and four one in every cycle.
TEST(operand_collector, units_hide_the_gathering_of_other_warps_3) {
  const auto run = run_ffma(3, 1);
  EXPECT_GE(run.cycles, 4 * 4 * instructions / 3);
  EXPECT_LE(run.cycles, 4 * 4 * instructions / 3 + 4);
}
TEST(operand_collector, units_hide_the_gathering_of_other_warps_4) {
  const auto run = run_ffma(4, 1);
  EXPECT_LE(run.cycles, 4 * instructions + 4);
  EXPECT_EQ(run.collector_full, 0u);
}
TEST(operand_collector, units_hide_the_gathering_of_other_warps_8) {
  const auto run = run_ffma(8, 1);
  EXPECT_LE(run.cycles, 4 * instructions + 8);
  EXPECT_EQ(run.collector_full, 0u);
}

}  // namespace

}  // namespace operand_collector_test
