// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "memory_stand_ins.hpp"
#include "test_machine.hpp"

// Copies from global to shared memory, and atomic operations: what they change in memory, and what they return.

namespace tc::device::test::memory_changes_test {
namespace {

/// A warp of sm_80 with 4 x lane in R0, 16 x lane in R1, global addresses in R2 and R4 that follow each other in words and in rows of 16
/// bytes, 1 in R6 and lane in R7. Bytes of 0x1000 are 0x11; results go to 0x2000.
std::string one_warp(const std::string& header, const std::string& body) {
  return kernel_header(1, 1, "shared 1024\nmemory 0x1000 1024 fill 0x11\nmemory 0x2000 1024 zero\n" + header, "sm_80") + cta_line(0) +
         warp_line(0) +
         "/*f000*/ S2R R7, SR_LANEID\n/*f010*/ SHF.L.U32 R0, R7, 0x2, RZ\n/*f020*/ SHF.L.U32 R1, R7, 0x4, RZ\n"
         "/*f030*/ IADD3 R2, R0, 0x2000, RZ\n/*f040*/ MOV R3, 0x0\n/*f050*/ IADD3 R4, R1, 0x1000, RZ\n/*f060*/ MOV R5, 0x0\n"
         "/*f070*/ MOV R6, 0x1\n" +
         body + "/*fff0*/ EXIT\n";
}

/// With monitors, and without, where accesses of a warp reach the memories as a whole.
class memory_changes : public testing::TestWithParam<bool> {
 protected:
  static accounting::run_result result_of(const std::string& text) {
    run_options options;
    options.monitors = GetParam();
    test_machine machine(preset("ampere"), {text}, options);
    return machine.run();
  }

  static void expect_exact(const accounting::run_result& result) {
    EXPECT_EQ(result.mismatches(), 0U);
    EXPECT_EQ(result.undefined_bytes(), 0U);
    EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
    EXPECT_TRUE(result.address_errors().empty()) << result.address_errors().front();
  }
};

INSTANTIATE_TEST_SUITE_P(monitors, memory_changes, testing::Bool());

const std::string wait = "/*0100*/ [B------:R-:W0:-:S04] LDGDEPBAR\n/*0110*/ [B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x0\n";
const std::string show = "/*0120*/ LDS R9, [R0] @ 0x0+4\n/*0130*/ STG.E [R2.64], R9 @ 0x2000+4\n";

TEST_P(memory_changes, a_copy_moves_bytes_of_every_size_to_where_registers_say) {
  const std::string header = "expect 0x2000 128 fill 0x11\n";
  expect_exact(result_of(one_warp(header, "/*0000*/ LDGSTS.E.BYPASS.128 [R1], [R4.64] @ 0x1000+16\n" + wait + show)));
}

TEST_P(memory_changes, copies_of_4_and_8_bytes_go_through_the_l1_cache) {
  const std::string header = "expect 0x2000 128 fill 0x11\n";
  expect_exact(result_of(one_warp(header,
                                  "/*0000*/ LDGSTS.E [R0+0x40], [R4.64] mask 0000ffff @ 0x1000+16\n"
                                  "/*0010*/ SHF.L.U32 R10, R7, 0x3, RZ\n"
                                  "/*0020*/ LDGSTS.E.64 [R10], [R4.64+0x8] mask 000000ff @ 0x1008+16\n" +
                                      wait + show)));
}

TEST_P(memory_changes, a_copy_puts_zeros_where_its_predicate_is_false_and_does_not_read) {
  const std::string header = "expect 0x2000 8 fill 0x11\nexpect 0x2008 120 zero\n";
  const std::string body =
      "/*0000*/ MOV R9, 0xffffffff\n/*0010*/ STS [R0], R9 @ 0x0+4\n/*0020*/ ISETP.LT.U32.AND P0, PT, R7, 0x2, PT\n"
      "/*0030*/ IMAD R10, R7, 0x7ffc, R4\n/*0040*/ MOV R11, 0x0\n/*0050*/ LDGSTS.E [R0], [R10.64], P0 @ 0x1000+32780\n";
  expect_exact(result_of(one_warp("memory 0x900c 4 fill 0x11\n" + header, body + wait + show)));
}

TEST_P(memory_changes, a_load_brings_zeros_where_its_predicate_is_false) {
  const std::string header = "expect 0x2000 16 fill 0x11\nexpect 0x2010 112 zero\n";
  expect_exact(result_of(one_warp(header,
                                  "/*0000*/ ISETP.LT.U32.AND P1, PT, R7, 0x4, PT\n/*0010*/ LDG.E R9, [R4.64], P1 @ 0x1000+16\n"
                                  "/*0020*/ STG.E [R2.64], R9 @ 0x2000+4\n")));
}

TEST_P(memory_changes, undefined_bytes_stay_undefined_when_they_are_copied) {
  const accounting::run_result result = result_of(one_warp("expect 0x2000 128 zero\nmemory 0x4000 1024 zero\n",
                                                           "/*0000*/ IADD3 R10, R1, 0x4000, RZ\n/*0010*/ MOV R11, 0x0\n"
                                                           "/*0020*/ STG.E [R10.64], R30 mask 00000003 @ 0x4000+16\n"
                                                           "/*0030*/ LDGSTS.E [R0], [R10.64] @ 0x4000+16\n" +
                                                               wait + show));
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_EQ(result.undefined_bytes(), 8U);
}

TEST_P(memory_changes, shared_memory_is_undefined_after_a_copy_to_an_unknown_address) {
  const accounting::run_result result =
      result_of(one_warp("expect 0x2000 128 zero\n",
                         "/*0000*/ STS [R0], RZ @ 0x0+4\n/*0010*/ LDGSTS.E [R30], [R4.64] mask 00000001 @ 0x1000\n" + wait + show));
  EXPECT_EQ(result.undefined_bytes(), 128U);
}

TEST_P(memory_changes, copies_outside_of_the_window_are_told_with_lane_and_address) {
  const std::string text = one_warp("", "/*0000*/ LDGSTS.E.128 [R1+0x210], [R4.64] @ 0x1000+16\n");
  try {
    result_of(text);
    FAIL() << "no error";
  } catch (const sc_core::sc_report& report) {
    const std::string told = report.get_msg();
    EXPECT_NE(
        told.find("LDGSTS.E.128 [R1+0x210], [R4.64]: lane 31 copies 16 bytes to 0x400 of shared memory, outside the window of 1024 bytes "
                  "of CTA 0"),
        std::string::npos)
        << told;
  }
}

TEST_P(memory_changes, lanes_add_to_one_word_in_their_order_and_get_what_was_there) {
  const std::string header = "expect 0x2000 16 hex 00000000010000000200000003000000\nexpect 0x2100 4 hex 20000000\n";
  expect_exact(result_of(one_warp(header,
                                  "/*0000*/ STS [RZ], RZ mask 00000001 @ 0x0\n/*0010*/ ATOMS.ADD R9, [RZ], R6 @ 0x0\n"
                                  "/*0020*/ STG.E [R2.64], R9 @ 0x2000+4\n/*0030*/ LDS R9, [RZ] @ 0x0\n"
                                  "/*0040*/ STG.E [R2.64+0x100], R9 mask 00000001 @ 0x2100\n")));
}

TEST_P(memory_changes, reductions_of_global_memory_combine_signed_words_and_bits) {
  const std::string header = "memory 0x3000 12 hex ffffffff0700000001000000\nexpect 0x3000 12 hex 1f0000000400000021000000\n";
  expect_exact(
      result_of(one_warp(header,
                         "/*0000*/ MOV R10, 0x3000\n/*0010*/ MOV R11, 0x0\n/*0020*/ RED.E.MAX.S32.STRONG.GPU [R10.64], R7 @ 0x3000\n"
                         "/*0030*/ MOV R14, 0x4\n/*0040*/ RED.E.AND.STRONG.GPU [R10.64+0x4], R14 @ 0x3004\n"
                         "/*0050*/ RED.E.ADD.STRONG.GPU [R10.64+0x8], R6 @ 0x3008\n")));
}

TEST_P(memory_changes, numbers_are_added_in_their_format) {
  const std::string header =
      "memory 0x3000 16 hex 0000803f003c00400000000000000000\nexpect 0x3000 16 hex 00000442205040500000000000004040\n";
  expect_exact(result_of(one_warp(header,
                                  "/*0000*/ MOV R10, 0x3000\n/*0010*/ MOV R11, 0x0\n/*0020*/ MOV R12, 0x3f800000\n"
                                  "/*0030*/ RED.E.ADD.F32.FTZ.RN.STRONG.GPU [R10.64], R12 @ 0x3000\n"
                                  "/*0040*/ MOV R13, 0x3c003c00\n/*0050*/ RED.E.ADD.F16x2.RN.STRONG.GPU [R10.64+0x4], R13 @ 0x3004\n"
                                  "/*0060*/ MOV R14, 0x0\n/*0070*/ MOV R15, 0x3ff00000\n"
                                  "/*0080*/ RED.E.ADD.F64.RN.STRONG.GPU [R10.64+0x8], R14 @ 0x3008\n")));
}

TEST_P(memory_changes, compare_and_swap_lets_one_lane_win_and_tells_the_others_what_is_there) {
  const std::string header = "expect 0x2000 12 hex 000000000100000001000000\nexpect 0x2100 4 hex 01000000\n";
  expect_exact(result_of(one_warp(header,
                                  "/*0000*/ IADD3 R10, RZ, 0x2100, RZ\n/*0010*/ MOV R11, 0x0\n/*0020*/ IADD3 R12, R7, 0x1, RZ\n"
                                  "/*0030*/ MOV R8, RZ\n/*0040*/ ATOMG.E.CAS.STRONG.GPU PT, R9, [R10], R8, R12 @ 0x2100\n"
                                  "/*0050*/ STG.E [R2.64], R9 @ 0x2000+4\n")));
}

TEST_P(memory_changes, what_an_undefined_operand_is_added_to_is_undefined) {
  const accounting::run_result result =
      result_of(one_warp("expect 0x2000 128 zero\n", "/*0000*/ RED.E.ADD.STRONG.GPU [R2.64], R30 mask 00000003 @ 0x2000+4\n"));
  EXPECT_EQ(result.undefined_bytes(), 8U);
  ASSERT_EQ(result.undefined_values.size(), 1U);
  EXPECT_EQ(result.undefined_values[0].consumer, "RED.E.ADD.STRONG.GPU [R2.64], R30");
}

/// A memory that answers long after it has been asked, and in any order.
TEST(late_memory, copies_are_there_behind_the_wait_for_their_group) {
  stand_ins::random_memory::params parameters;
  parameters.ports = 5;  // four sub-cores and the probe
  random_global_memory memory(parameters);
  std::string body = "/*0000*/ LDGSTS.E.BYPASS.128 [R1], [R4.64] @ 0x1000+16\n" + wait + show;
  test_machine machine(preset("ampere"), {one_warp("expect 0x2000 128 fill 0x11\n", body)}, memory.options());
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_TRUE(result.warnings().empty());
}

}  // namespace
}  // namespace tc::device::test::memory_changes_test
