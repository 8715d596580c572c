// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include "test_machine.hpp"

// With a scoreboard beside the control codes, an instruction waits for what would be wrong otherwise, and for nothing else.

namespace tc::device::test::hazard_rules_test {
namespace {

/// Cycles that a warp of these instructions waits for registers on Ampere, whose additions take 4 cycles.
fabric::cycle_t scoreboard_stalls(const std::string& instructions) {
  const std::string text = kernel_header(1, 1, "registers 40\n", "sm_80") + cta_line(0) + warp_line(0) + instructions;
  test_machine machine(preset("ampere", {"sm.sub_core.issue.hazards=interlock"}), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.hazard_rule, config::hazard_policy::interlock);
  return result.stalls[links::stall_cause::scoreboard];
}

TEST(hazard_rules, hold_an_early_read) {
  EXPECT_EQ(scoreboard_stalls("/*0000*/ [B------:R-:W-:-:S01] IADD3 R4, R2, R3, RZ\n"
                              "/*0010*/ [B------:R-:W-:-:S15] IADD3 R5, R4, R3, RZ\n"
                              "/*0020*/ [B------:R-:W-:-:S05] EXIT\n"),
            3U);
}

TEST(hazard_rules, let_an_early_read_without_lanes_go) {
  EXPECT_EQ(scoreboard_stalls("/*0000*/ [B------:R-:W-:-:S01] IADD3 R4, R2, R3, RZ\n"
                              "/*0010*/ [B------:R-:W-:-:S15] @P0 IADD3 R5, R4, R3, RZ mask 00000000\n"
                              "/*0020*/ [B------:R-:W-:-:S05] EXIT\n"),
            0U);
}

TEST(hazard_rules, let_a_value_be_overwritten_that_nothing_has_read) {
  EXPECT_EQ(scoreboard_stalls("/*0000*/ [B------:R-:W-:-:S01] IADD3 R4, R2, R3, RZ\n"
                              "/*0010*/ [B------:R-:W-:-:S01] @P0 IADD3 R4, R2, 0x1, RZ\n"
                              "/*0020*/ [B------:R-:W-:-:S15] MOV R4, R3\n"
                              "/*0030*/ [B------:R-:W-:-:S05] EXIT\n"),
            0U);
}

TEST(hazard_rules, keep_a_slow_result_from_overwriting_a_quick_one) {
  EXPECT_GT(scoreboard_stalls("/*0000*/ [B------:R-:W0:-:S02] MUFU.RCP R4, R2\n"
                              "/*0010*/ [B------:R-:W-:-:S15] MOV R4, R3\n"
                              "/*0020*/ [B0-----:R-:W-:-:S05] EXIT\n"),
            0U);
}

TEST(hazard_rules, let_results_of_the_special_function_unit_follow_each_other) {
  EXPECT_EQ(scoreboard_stalls("/*0000*/ [B------:R0:W-:-:S02] FRND.FLOOR R32, R2\n"
                              "/*0010*/ [B0-----:R-:W1:-:S02] MUFU.SIN R32, R24\n"
                              "/*0020*/ [B-1----:R-:W-:-:S15] FADD R33, R32, R2\n"
                              "/*0030*/ [B------:R-:W-:-:S05] EXIT\n"),
            0U);
}

}  // namespace
}  // namespace tc::device::test::hazard_rules_test
