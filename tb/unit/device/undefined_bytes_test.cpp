// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>

#include <gtest/gtest.h>

#include "test_machine.hpp"

// Results that hold the expected bits, although the model has not computed them.

namespace tc::device::test::undefined_bytes_test {
namespace {

/// With monitors, and without, where accesses of a warp reach the memories as a whole.
class undefined_results : public testing::TestWithParam<bool> {
 protected:
  static accounting::run_result result_of(const std::string& text, const std::string& preset_name = "turing") {
    run_options options;
    options.monitors = GetParam();
    test_machine machine(preset(preset_name), {text}, options);
    return machine.run();
  }

  static std::string one_warp(const std::string& body, const std::string& arch = "sm_75") {
    return kernel_header(1, 1, "shared 4096\nmemory 0x1000 4096 zero\nmemory 0x8000 4096 zero\nexpect 0x1000 4096 zero\n", arch) +
           cta_line(0) + warp_line(0) + "reg R2 0\nreg R3 0\nreg R4 0\nreg R6 0\n" + body + "/*f000*/ EXIT\n";
  }

  /// Bytes of the result that are undefined. All are as expected.
  static std::uint64_t undefined_of(const std::string& body) {
    const accounting::run_result result = result_of(one_warp(body));
    EXPECT_EQ(result.mismatches(), 0U);
    return result.undefined_bytes();
  }
};

INSTANTIATE_TEST_SUITE_P(monitors, undefined_results, testing::Bool());

TEST_P(undefined_results, are_none_where_the_model_computes) {
  EXPECT_EQ(undefined_of("/*0000*/ IADD3 R5, R4, R4, RZ\n/*0010*/ STG.E.SYS [R2], R5 @ 0x1000+4\n"), 0U);
}

TEST_P(undefined_results, of_active_lanes_are_counted_by_byte) {
  EXPECT_EQ(undefined_of("/*0000*/ STG.E.SYS [R2], R9 mask 000000ff @ 0x1000+4\n/*0010*/ STG.E.U8.SYS [R2], R9 mask 00000003 @ 0x1100+2\n"),
            34U);
}

TEST_P(undefined_results, are_told_apart_by_register_and_lane) {
  EXPECT_EQ(undefined_of("/*0000*/ MOV R5, 0x0 mask 0000ffff\n/*0010*/ STG.E.64.SYS [R2], R4 @ 0x1000+8\n"), 64U)
      << "R5 of 16 lanes, and nothing of R4";
}

TEST_P(undefined_results, are_results_when_something_else_is_stored) {
  EXPECT_EQ(undefined_of("/*0000*/ STG.E.SYS [R2], R9 @ 0x1000+4\n/*0010*/ STG.E.SYS [R2], R4 mask 0000000f @ 0x1010+4\n"), 112U);
}

TEST_P(undefined_results, outside_of_what_is_expected_do_not_count) {
  EXPECT_EQ(undefined_of("/*0000*/ STG.E.SYS [R2], R9 @ 0x8000+4\n"), 0U);
}

TEST_P(undefined_results, come_from_bytes_that_were_loaded_from_global_memory) {
  const std::string body =
      "/*0000*/ STG.E.SYS [R2], R9 mask 0000000f @ 0x8000+4\n/*0010*/ LDG.E.SYS R4, [R2] @ 0x8000+4\n"
      "/*0020*/ STG.E.SYS [R2], R4 @ 0x1000+4\n";
  const accounting::run_result result = result_of(one_warp(body));
  EXPECT_EQ(result.undefined_bytes(), 16U);
  ASSERT_EQ(result.undefined_values.size(), 2U);
  EXPECT_EQ(result.undefined_values[1].producer, "LDG.E.SYS R4, [R2]");
}

TEST_P(undefined_results, come_from_bytes_that_went_through_shared_memory) {
  EXPECT_EQ(undefined_of("/*0000*/ STS [R6], R4 @ 0x0+4\n/*0010*/ STS [R6], R9 mask 00000003 @ 0x0+4\n/*0020*/ LDS R4, [R6] @ 0x0+4\n"
                         "/*0030*/ STG.E.SYS [R2], R4 @ 0x1000+4\n"),
            8U);
}

TEST_P(undefined_results, come_from_bytes_that_bulk_copies_moved) {
  const std::string commit = "cp.async.bulk.commit_group mask 00000001\ncp.async.bulk.wait_group 0 mask 00000001\n";
  const std::string body =
      "/*0000*/ STS [R6], R4 @ 0x400+4\n/*0010*/ STS [R6], R9 mask 00000007 @ 0x400+4\nfence.proxy.async.shared::cta\n"
      "cp.async.bulk.global.shared::cta.bulk_group [0x1000], [0x400], 128 mask 00000001\n" +
      commit;
  const accounting::run_result result = result_of(one_warp(body, "sm_90"), "hopper");
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_EQ(result.undefined_bytes(), 12U);
}

/// Rows 4 to 7 are those of the upper lanes, of which the first words are stored; transposed, they are columns, in the last word of each
/// row.
TEST_P(undefined_results, come_from_matrices_that_were_stored) {
  const std::string body =
      "/*0000*/ MOV R5, 0x0 mask 0000ffff\n"
      "/*0010*/ STSM.16.M88 [R6], R5 @ 0x400+16\n/*0020*/ LDS R7, [R6] @ 0x400+4\n/*0030*/ STG.E [R2], R7 mask 11111111 @ 0x1000+16\n"
      "/*0040*/ STSM.16.MT88 [R6], R5 @ 0x800+16\n/*0050*/ LDS R7, [R6] @ 0x800+4\n/*0060*/ STG.E [R2], R7 mask 88888888 @ 0x1300+16\n";
  const accounting::run_result result = result_of(one_warp(body, "sm_90"), "hopper");
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_EQ(result.undefined_bytes(), 16U + 32U);
}

TEST_P(undefined_results, of_a_wrong_run_are_counted_too) {
  const std::string text = kernel_header(1, 1, "memory 0x1000 128 fill 1\nexpect 0x1000 128 fill 1\n") + cta_line(0) + warp_line(0) +
                           "reg R2 0\nreg R3 0\n/*0000*/ STG.E.SYS [R2], R9 mask 00000001 @ 0x1000\n/*0010*/ EXIT\n";
  const accounting::run_result result = result_of(text);
  EXPECT_EQ(result.mismatches(), 4U);
  EXPECT_EQ(result.undefined_bytes(), 4U);
}

}  // namespace
}  // namespace tc::device::test::undefined_bytes_test
