// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "test_machine.hpp"

namespace tc::device::test::bypass_test {
namespace {

/// What a warp of a Hopper machine leaves at 0x1000, where it is to be `expected`, under its control codes alone.
accounting::run_result run_of(const std::string& registers, const std::string& instructions, const std::string& expected,
                              const std::vector<std::string>& assignments = {}) {
  std::vector<std::string> settings{"sm.sub_core.issue.hazards=silicon"};
  settings.insert(settings.end(), assignments.begin(), assignments.end());
  test_machine machine(preset("hopper", settings),
                       {kernel_header(1, 1, "memory 0x1000 128 zero\nexpect 0x1000 4 hex " + expected + "\n", "sm_90") + cta_line(0) +
                        warp_line(0) + "reg R2 0x0\nreg R3 0x0\n" + registers + instructions + "/*0100*/ [B------:R-:W-:-:S05] EXIT\n"});
  accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  return result;
}

const std::string registers = "reg R4 0x2\nreg R5 0x3\nreg R6 0x10\nreg R7 0x20\nreg R10 0x7\n";

/// IMAD writes the upper half of the addend of the IMAD.WIDE behind it.
std::string wide_sum(const std::string& stall) {
  return "/*0000*/ [B------:R-:W-:-:S" + stall + "] IMAD R7, R10, 0x100, RZ\n" +
         "/*0010*/ [B------:R-:W-:-:S15] IMAD.WIDE R8, R4, R5, R6\n"
         "/*0020*/ [B------:R-:W-:-:S02] STG.E desc[UR4][R2.64], R9 @ 0x1000\n";
}

TEST(bypass, brings_the_upper_half_of_a_wide_addend_two_cycles_later) {
  const auto result = run_of(registers, wide_sum("02"), "00070000");
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty());
}

TEST(bypass, that_comes_too_late_leaves_the_old_upper_half) {
  const auto result = run_of(registers, wide_sum("01"), "20000000");
  EXPECT_EQ(result.mismatches(), 0U);
  ASSERT_EQ(result.hazards.size(), 1U);
  EXPECT_EQ(result.hazards[0].cycles_early, 1U);
}

TEST(bypass, brings_nothing_later_where_the_machine_does_not) {
  const auto result = run_of(registers, wide_sum("02"), "20000000", {"sm.sub_core.bypass.wide_addend_cycles=0"});
  EXPECT_EQ(result.mismatches(), 0U);
  ASSERT_EQ(result.hazards.size(), 1U);
  EXPECT_EQ(result.hazards[0].cycles_early, 2U);
}

TEST(bypass, brings_the_data_of_a_store_a_cycle_later) {
  const auto stored_behind = [](const char* stall) {
    return std::string("/*0000*/ [B------:R-:W-:-:S") + stall + "] IADD3 R5, R4, R4, RZ\n/*0010*/ [B------:R-:W-:-:S02] STG.E " +
           "desc[UR4][R2.64], R5 @ 0x1000\n";
  };
  const auto result = run_of(registers, stored_behind("03"), "04000000");
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty());
}

TEST(bypass, gives_the_lower_half_of_a_wide_result_before_the_upper_one) {
  const auto result = run_of(registers,
                             "/*0000*/ [B------:R-:W-:-:S03] IMAD.WIDE R8, R4, R5, R6\n/*0010*/ [B------:R-:W-:-:S15] IADD3 R10, R8, "
                             "0x1, RZ\n/*0020*/ [B------:R-:W-:-:S02] STG.E desc[UR4][R2.64], R10 @ 0x1000\n",
                             "17000000");
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty());
}

const std::string store = "/*0030*/ [B------:R-:W-:-:S02] STG.E desc[UR4][R2.64], R4 @ 0x1000\n";

TEST(warnings_of_control_codes, say_by_how_much_and_in_which_cycle) {
  const auto result = run_of(
      registers, "/*0000*/ [B------:R-:W-:-:S02] IADD3 R8, R4, R5, RZ\n/*0010*/ [B------:R-:W-:-:S01] IADD3 R10, R8, R4, RZ\n" + store,
      "02000000");
  ASSERT_EQ(result.warnings().size(), 1U);
  EXPECT_NE(result.warnings()[0].find("IADD3 R10, R8, R4, RZ: reads R8 2 cycles before it is written (cycle 2)"), std::string::npos)
      << result.warnings()[0];
}

/// The addition waits for the LDC, and by then the register has its value: in this run.
TEST(warnings_of_control_codes, say_what_only_something_else_has_prevented) {
  const auto result = run_of(registers,
                             "/*0000*/ [B------:R-:W0:-:S02] LDC R11, c[0x0][0x28]\n/*0010*/ [B------:R-:W-:-:S01] IADD3 R8, R4, R5, RZ\n"
                             "/*0020*/ [B0-----:R-:W-:-:S01] IADD3 R10, R8, R11, RZ\n" +
                                 store,
                             "02000000");
  ASSERT_EQ(result.warnings().size(), 1U);
  EXPECT_NE(result.warnings()[0].find(": could read R8 3 cycles before it is written, had nothing but stall counts held it (cycle "),
            std::string::npos)
      << result.warnings()[0];
}

/// What waits for no counter may find any value: nothing tells by how many cycles it is early.
TEST(warnings_of_control_codes, name_no_cycles_where_the_end_is_not_known) {
  const auto result = run_of(
      registers, "/*0000*/ [B------:R-:W0:-:S02] MUFU.RCP R8, R4\n/*0010*/ [B------:R-:W-:-:S01] FADD R10, R8, R4\n" + store, "02000000");
  ASSERT_EQ(result.warnings().size(), 1U);
  EXPECT_NE(result.warnings()[0].find(": reads R8 before it is written (cycle "), std::string::npos) << result.warnings()[0];
}

}  // namespace
}  // namespace tc::device::test::bypass_test
