// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>

#include "test_machine.hpp"

namespace tc::device::test::write_port_test {
namespace {

/// A load and, eight cycles behind it, a MUFU whose result comes in the same cycle, for a register of the same bank.
struct crowded_run {
  cycle_t consumer = 0;  ///< issue of the MOV that waits for the MUFU
  std::uint64_t conflicts = 0, delayed = 0;
};

crowded_run run_crowded(unsigned write_ports) {
  std::string text = kernel_header(1, 1, "shared 2048\n", "sm_90") + cta_line(0) + warp_line(0) + "reg R4 0x0\n";
  unsigned pc = 0;
  const auto add = [&](const char* instruction) { text += fmt::format("/*{:04x}*/ {}\n", 16 * pc++, instruction); };
  add("LDS R8, [R4] @ 0x400+4");
  for (unsigned i = 0; i < 7; ++i) add("NOP");
  for (const char* instruction : {"MUFU.RCP R20, R5", "MOV R100, R20", "EXIT"}) add(instruction);
  test_machine machine(preset("hopper", {fmt::format("sm.sub_core.register_file.write_ports={}", write_ports)}), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(accounting::statistic_sum("write_back", "registers_written").sum(), 3U);
  return {result.warps.at(0).last_issue - 1, accounting::statistic_sum("write_back", "port_conflicts").sum(),
          accounting::statistic_sum("write_back", "delayed_results").sum()};
}

TEST(write_ports, one_takes_a_result_in_a_cycle_and_the_next_of_a_queued_unit_waits) {
  const crowded_run run = run_crowded(1);
  EXPECT_EQ(run.consumer, 24U);
  EXPECT_EQ(run.conflicts, 1U);
  EXPECT_EQ(run.delayed, 1U);
}

TEST(write_ports, two_take_both_results) {
  const crowded_run run = run_crowded(2);
  EXPECT_EQ(run.consumer, 23U);
  EXPECT_EQ(run.conflicts, 0U);
  EXPECT_EQ(run.delayed, 0U);
}

/// The IADD3 is visible in the cycle in which the POPC three cycles behind it would be, so that the POPC is a cycle late. Who reads it must
/// wait, although its latency is shorter than the way from issue to dispatch.
TEST(write_ports, make_readers_of_a_quick_result_wait) {
  std::string text = kernel_header(1, 1, "memory 0x1000 128 fill 90\nexpect 0x1000 4 hex 03000000\n", "sm_90") + cta_line(0) +
                     warp_line(0) + "reg R2 0x0\nreg R3 0x0\nreg R5 0x3\nreg R7 0x8\n";
  for (const char* instruction : {"IADD3 R11, R5, R5, RZ", "NOP", "NOP", "POPC R7, R5", "IADD3 R8, R7, 0x1, RZ", "NOP", "NOP"})
    text += fmt::format("/*0000*/ {}\n", instruction);
  text += "/*0000*/ STG.E desc[UR4][R2.64], R8 @ 0x1000\n/*0000*/ EXIT\n";
  test_machine machine(preset("hopper", {"sm.sub_core.pipes.special_function.opcode_latency_cycles.POPC=1"}), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_EQ(accounting::statistic_sum("write_back", "delayed_results").sum(), 1U);
}

}  // namespace
}  // namespace tc::device::test::write_port_test
