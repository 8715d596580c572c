// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test_machine.hpp"

namespace tc::device::test::data_report_test {
namespace {

std::string one_warp(const std::string& body, const std::string& header_lines = "memory 0x1000 4096 zero\n") {
  return kernel_header(1, 1, header_lines) + cta_line(0) + warp_line(0) + body + "/*0100*/ EXIT\n";
}

run_options silicon() {
  run_options options;
  options.timing_of_preset = true;
  return options;
}

TEST(expectations, a_mismatch_is_counted_and_the_first_is_kept) {
  const std::string text =
      one_warp("reg R2 0\nreg R3 0\nreg R4 0x01020304\n/*0000*/ STG.E.SYS [R2], R4 @ 0x1010+16\n",
               "memory 0x1000 4096 zero\nexpect 0x1000 24 zero\nexpect 0x1020 4 hex 04030201\nexpect 0x1030 4 hex 04ff02ff\n");
  test_machine machine(preset("turing"), {text});
  const accounting::run_result result = machine.run();
  const auto& checks = result.kernels[0].expectations;
  ASSERT_EQ(checks.size(), 3U);
  EXPECT_EQ(result.mismatches(), 6U);
  EXPECT_EQ(checks[0].mismatches, 4U);
  EXPECT_EQ(checks[1].mismatches, 0U);
  EXPECT_FALSE(checks[1].first.has_value());
  ASSERT_TRUE(checks[2].first.has_value());
  EXPECT_EQ(checks[2].first->address, 0x1031U);
  EXPECT_EQ(checks[2].first->expected, 0xffU);
  EXPECT_EQ(checks[2].first->got, 0x03U);
}

TEST(expectations, are_not_checked_without_data) {
  run_options options;
  options.data = false;
  test_machine machine(preset("turing"), {one_warp("", "memory 0x1000 64 zero\nexpect 0x1000 64 fill 1\n")}, options);
  EXPECT_TRUE(machine.run().kernels[0].expectations.empty());
}

TEST(undefined_values, a_store_of_a_register_that_nothing_wrote_is_reported_once) {
  std::string body = "reg R2 0\nreg R3 0\n";
  for (int i = 0; i < 3; ++i) body += "/*0000*/ STG.E.SYS [R2], R9 @ 0x1000+4\n";
  test_machine machine(preset("turing"), {one_warp(body)});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.undefined_values.size(), 1U);
  EXPECT_EQ(result.undefined_values[0].consumer, "STG.E.SYS [R2], R9");
  EXPECT_EQ(result.undefined_values[0].occurrences, 3U);
  EXPECT_TRUE(result.undefined_values[0].producer.empty());
  ASSERT_EQ(result.warnings().size(), 1U);
  EXPECT_NE(result.warnings()[0].find("kernel 0:11: warp 0 of CTA 0"), std::string::npos) << result.warnings()[0];
  EXPECT_NE(result.warnings()[0].find("(3 times, first in cycle "), std::string::npos) << result.warnings()[0];
}

TEST(undefined_values, a_matrix_instruction_names_the_instruction_that_made_it) {
  const std::string body =
      "reg R1 1\nreg R2 0\nreg R6 0\nreg R7 0\nreg R8 0\nreg R9 0\n/*0000*/ P2R R3, PR, R1, 0x7f\n/*0010*/ MOV R4, R3\n"
      "/*0020*/ IMMA.8816.S8.S8 R8, R4.ROW, R6.COL, R8\n";
  test_machine machine(preset("turing"), {one_warp(body)});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.undefined_values.size(), 1U);
  EXPECT_EQ(result.undefined_values[0].producer, "P2R R3, PR, R1, 0x7f");
  EXPECT_EQ(result.undefined_values[0].producer_line, 15U);
  EXPECT_EQ(result.undefined_values[0].consumer_line, 17U);
}

TEST(constants, load_bytes_and_halves_with_and_without_their_sign) {
  const std::string header =
      "constant 0x3 0x0 4 hex 8081f2c3\nmemory 0x1000 16 zero\nexpect 0x1000 16 hex 81000000f2ffffffc3fffffff2c30000\n";
  const std::string body =
      "reg R2 0x1000\nreg R3 0\n/*0000*/ LDC.U8 R4, c[0x3][0x1]\n/*0010*/ LDC.S8 R5, c[0x3][0x2]\n/*0020*/ LDC.S8 R6, c[0x3][0x3]\n"
      "/*0030*/ LDC.U16 R7, c[0x3][0x2]\n/*0040*/ STG.E.128.SYS [R2], R4 mask 00000001 @ 0x1000\n";
  test_machine machine(preset("turing"), {one_warp(body, header)});
  const accounting::run_result result = machine.run();
  EXPECT_TRUE(result.undefined_values.empty());
  EXPECT_EQ(result.mismatches(), 0U);
}

/// c[0x3] has two words. A lane in four reads each of them, the others words that the trace does not give.
TEST(undefined_values, a_constant_that_the_trace_does_not_give_reads_as_zero) {
  std::string offsets, words;
  for (unsigned lane = 0; lane < 32; ++lane) {
    offsets += fmt::format("{}{:#x}", lane == 0 ? "" : ", ", 4 * (lane % 4));
    words += lane % 4 == 0 ? "01000000" : lane % 4 == 1 ? "02000000" : "00000000";
  }
  const std::string body = "reg R8 0\nreg R9 0\nreg R2 {" + offsets +
                           "}\n/*0000*/ LDC R4, c[0x3][R2]\n/*0010*/ LDC R5, c[0x3][0x8]\n"
                           "/*0020*/ STG.E.SYS [R8], R4 @ 0x1000+4\n/*0030*/ STG.E.SYS [R8], R5 @ 0x1080+4\n";
  test_machine machine(preset("turing"),
                       {one_warp(body, "constant 0x3 0x0 8 hex 0100000002000000\nmemory 0x1000 256 fill 90\nexpect 0x1000 128 hex " +
                                           words + "\nexpect 0x1080 128 zero\n")});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.mismatches(), 0U);
  ASSERT_EQ(result.undefined_values.size(), 2U);
  EXPECT_EQ(result.undefined_values[0].producer, "LDC R4, c[0x3][R2]");
  EXPECT_EQ(result.undefined_values[1].producer, "LDC R5, c[0x3][0x8]");
}

TEST(undefined_values, a_uniform_register_has_the_value_of_the_first_lane_alone) {
  const std::string body =
      "reg R2 0\nreg R3 0\n/*0000*/ MOV R4, 0x1 mask 00000001\n/*0010*/ R2UR UR4, R4\n/*0020*/ R2UR UR5, R4 mask fffffffe\n"
      "/*0030*/ MOV R5, UR4\n/*0040*/ STG.E.SYS [R2], R5 @ 0x1000\n/*0050*/ MOV R6, UR5\n/*0060*/ STG.E.SYS [R2], R6 @ 0x1000\n";
  test_machine machine(preset("turing"), {one_warp(body)});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.undefined_values.size(), 1U);
  EXPECT_EQ(result.undefined_values[0].consumer, "STG.E.SYS [R2], R6");
}

TEST(undefined_values, a_value_that_only_moves_is_not_reported) {
  test_machine machine(preset("turing"), {one_warp("/*0000*/ MOV R4, R3\n/*0010*/ IADD3 R5, R4, R4, RZ\n")});
  EXPECT_TRUE(machine.run().undefined_values.empty());
}

/// A consumer one cycle after its producer; compiled code would wait four.
const char* const too_early =
    "reg R2 0\nreg R3 0\nreg R4 1\nreg R5 2\n/*0000*/ [B------:R-:W-:-:S01] IADD3 R4, R5, R5, RZ\n"
    "/*0010*/ [B------:R-:W-:-:S15] IADD3 R6, R4, R4, RZ\n/*0020*/ [B------:R-:W-:-:S01] STG.E.SYS [R2], R6 mask 00000001 @ 0x1000\n";

std::uint8_t stored(test_machine& machine) {
  std::uint8_t byte = 0xff;
  EXPECT_TRUE(machine.device().peek_global(0x1000, &byte, 1));
  return byte;
}

TEST(hazards, under_silicon_the_old_value_is_read_and_reported) {
  test_machine machine(preset("turing", {"sm.sub_core.pipes.integer.lanes=32"}), {one_warp(too_early)}, silicon());
  const accounting::run_result result = machine.run();
  EXPECT_EQ(stored(machine), 2);
  ASSERT_EQ(result.hazards.size(), 1U);
  EXPECT_EQ(result.hazards[0].consumer, "IADD3 R6, R4, R4, RZ");
  EXPECT_EQ(result.hazards[0].reg, "R4");
  EXPECT_EQ(result.hazards[0].cycles_early, 3U);
  EXPECT_EQ(result.warnings().size(), 1U);
}

TEST(hazards, under_interlock_the_scoreboard_waits) {
  test_machine machine(preset("turing"), {one_warp(too_early)});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(stored(machine), 8);
  EXPECT_TRUE(result.hazards.empty());
  EXPECT_GT(result.stalls[links::stall_cause::scoreboard], 0U);
}

/// A store, and what overwrites its data behind a wait mask.
std::string overwritten_store(const std::string& waits) {
  return one_warp("reg R2 0\nreg R3 0\nreg R4 1\n/*0000*/ [B------:R1:W-:-:S02] STG.E.SYS [R2], R4 mask 00000001 @ 0x1000\n/*0010*/ [B" +
                  waits + ":R-:W-:-:S04] MOV R4, 0x5\n");
}

TEST(hazards, data_of_a_store_that_nothing_keeps_from_being_overwritten_are_reported) {
  test_machine machine(preset("turing"), {overwritten_store("------")}, silicon());
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.warnings().size(), 1U);
  EXPECT_NE(result.warnings()[0].find("MOV R4, 0x5: writes R4 without a wait for the dependence counter of what reads it"),
            std::string::npos)
      << result.warnings()[0];
}

TEST(hazards, data_of_a_store_may_be_overwritten_behind_a_wait_for_it) {
  test_machine machine(preset("turing"), {overwritten_store("-1----")}, silicon());
  EXPECT_TRUE(machine.run().warnings().empty());
}

TEST(hazards, the_configuration_decides_before_the_preset_does) {
  test_machine machine(preset("turing", {"sm.sub_core.issue.hazards=interlock"}), {one_warp(too_early)}, silicon());
  machine.run();
  EXPECT_EQ(stored(machine), 8);
}

TEST(hazards, policy_by_configuration_and_preset) {
  using config::hazard_policy;
  EXPECT_TRUE(uses_interlock(hazard_policy::automatic, false));
  EXPECT_FALSE(uses_interlock(hazard_policy::automatic, true));
  EXPECT_FALSE(uses_interlock(hazard_policy::silicon, false));
  EXPECT_TRUE(uses_interlock(hazard_policy::interlock, true));
}

TEST(clock_reads, come_in_the_order_of_the_instructions) {
  // S2R takes longer than the CS2R behind it.
  test_machine machine(preset("turing"),
                       {one_warp("/*0000*/ S2R R4, SR_CLOCKLO\n/*0010*/ CS2R R6, SR_CLOCKLO\n/*0020*/ CS2R R8, SR_CLOCKLO\n")});
  const accounting::run_result result = machine.run();
  ASSERT_EQ(result.clock_reads.size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(result.clock_reads[i].index, i);
    EXPECT_EQ(result.clock_reads[i].pc, 0x10 * i);
  }
  EXPECT_GT(result.clock_reads[2].cycle, result.clock_reads[1].cycle);
}

}  // namespace
}  // namespace tc::device::test::data_report_test
