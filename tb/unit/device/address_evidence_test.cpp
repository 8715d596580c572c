// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test_machine.hpp"

// The addresses of a trace against what the registers of its instructions make.

namespace tc::device::test::address_evidence_test {
namespace {

/// R2 and R3 are 0x1000 and four bytes more in each lane.
const std::string pointers =
    "/*0000*/ S2R R0, SR_LANEID\n/*0010*/ MOV R2, 0x1000\n/*0020*/ IMAD R2, R0, 0x4, R2\n/*0030*/ MOV R3, RZ\n/*0040*/ MOV R8, 0x5\n";

std::string kernel(const std::string& body, const std::string& arch = "sm_75", const std::string& header = "memory 0x1000 4096 zero\n") {
  return kernel_header(1, 1, header, arch) + cta_line(0) + warp_line(0) + pointers + body + "/*0100*/ EXIT\n";
}

accounting::run_result result_of(const std::string& text, const std::string& machine = "turing", const run_options& options = {}) {
  return test_machine(preset(machine), {text}, options).run();
}

void expect_counts(const accounting::run_result& result, std::uint64_t compared, std::uint64_t unknown, std::uint64_t different) {
  EXPECT_EQ(result.addresses().compared, compared);
  EXPECT_EQ(result.addresses().unknown, unknown);
  EXPECT_EQ(result.addresses().different, different);
}

TEST(address_evidence, addresses_that_the_registers_make_are_counted) {
  const auto result =
      result_of(kernel("/*0050*/ STG.E.SYS [R2], R8 @ 0x1000+4\n/*0060*/ LDG.E.SYS R9, [R2+0x20] mask 0000ffff @ 0x1020+4\n"));
  expect_counts(result, 48, 0, 0);
  EXPECT_TRUE(result.wrong_addresses.empty());
}

TEST(address_evidence, a_difference_names_the_instruction_the_lane_and_both_addresses) {
  const auto result = result_of(kernel("/*0050*/ STG.E.SYS [R2+0x10], R8 mask ffffff00 @ 0x1100+4\n"));
  expect_counts(result, 24, 0, 24);
  ASSERT_EQ(result.wrong_addresses.size(), 1U);
  const accounting::wrong_address_report& report = result.wrong_addresses[0];
  EXPECT_EQ(report.instruction, "STG.E.SYS [R2+0x10], R8");
  EXPECT_EQ(report.line, 14U);
  EXPECT_EQ(report.pc, 0x50U);
  EXPECT_EQ(report.lane, 8U);
  EXPECT_EQ(report.computed, 0x1030U);
  EXPECT_EQ(report.traced, 0x1100U);
  EXPECT_EQ(report.occurrences, 24U);
  ASSERT_EQ(result.address_errors().size(), 1U);
  EXPECT_NE(result.address_errors()[0].find("the registers of lane 8 make 0x1030, the trace has 0x1100"), std::string::npos)
      << result.address_errors()[0];
}

TEST(address_evidence, lanes_that_do_not_access_memory_are_not_compared) {
  expect_counts(result_of(kernel("/*0050*/ STG.E.SYS [R2], R8 mask 00000001 @ 0x1000\n/*0060*/ STG.E.SYS [R2], R8 mask 00000000\n")), 1, 0,
                0);
}

TEST(address_evidence, a_register_without_a_known_value_makes_it_unknown) {
  const auto result =
      result_of(kernel("/*0050*/ LDG.E.SYS R9, [R20] @ 0x1000+4\n"      // never written
                       "/*0060*/ MOV R3, RZ mask 0000ffff\n"            // still known in all lanes
                       "/*0070*/ P2R R2, PR, R8, 0x7f mask 000000ff\n"  // not computed
                       "/*0080*/ LDG.E.SYS R9, [R2] @ 0x1000+4\n"
                       "/*0090*/ LDG.E.SYS R9, [RZ] @ 0x1000+4\n"));  // no register at all
  expect_counts(result, 24, 32 + 8 + 32, 0);
}

TEST(address_evidence, pointers_of_two_registers_are_followed) {
  expect_counts(result_of(kernel("/*0050*/ IADD3 R4, P0, R2, 0x40, RZ\n/*0060*/ IADD3.X R5, RZ, R3, RZ, P0, !PT\n"
                                 "/*0070*/ LDG.E.SYS R9, [R4] @ 0x1040+4\n")),
                32, 0, 0);
}

TEST(address_evidence, a_sabotaged_sum_is_found) {
  expect_counts(result_of(kernel("/*0050*/ IADD3 R4, R2, 0x44, RZ\n/*0060*/ MOV R5, RZ\n/*0080*/ LDG.E.SYS R9, [R4] @ 0x1040+4\n")), 32, 0,
                32);
}

TEST(address_evidence, one_value_that_the_trace_gives_a_base_is_the_address_of_the_first_lane) {
  const auto body = [](const std::string& base) {
    return kernel_header(1, 1, "memory 0x1000 4096 zero\n") + cta_line(0) + warp_line(0) + "reg R4 " + base +
           "\nreg R5 0x0\n/*0000*/ LDG.E.SYS R9, [R4] mask fffffff0 @ 0x1000+4\n/*0010*/ IADD3 R4, R4, RZ, RZ\n"
           "/*0020*/ LDG.E.SYS R9, [R4] @ 0x1000\n/*0100*/ EXIT\n";
  };
  expect_counts(result_of(body("0x1000")), 1 + 32, 27, 0);
}

TEST(address_evidence, another_value_that_the_trace_gives_a_base_is_found) {
  const std::string text = kernel_header(1, 1, "memory 0x1000 4096 zero\n") + cta_line(0) + warp_line(0) +
                           "reg R4 0x1010\nreg R5 0x0\n/*0000*/ LDG.E.SYS R9, [R4] @ 0x1000+4\n/*0100*/ EXIT\n";
  const auto result = result_of(text);
  EXPECT_EQ(result.addresses().different, 1U);
}

TEST(address_evidence, values_that_the_trace_gives_each_lane_are_compared) {
  std::string values;
  for (unsigned lane = 0; lane < 32; ++lane) values += fmt::format("{}{:#x}", lane == 0 ? "" : ", ", 0x1000 + 8 * lane);
  const std::string text = kernel_header(1, 1, "memory 0x1000 4096 zero\n") + cta_line(0) + warp_line(0) + "reg R4 {" + values +
                           "}\nreg R5 0x0\n/*0000*/ LDG.E.SYS R9, [R4] @ 0x1000+4\n/*0100*/ EXIT\n";
  expect_counts(result_of(text), 32, 0, 31);
}

TEST(address_evidence, the_upper_half_of_a_pointer_counts) {
  expect_counts(result_of(kernel("/*0050*/ MOV R3, 0x1\n/*0060*/ LDG.E.SYS R9, [R2] @ 0x1000+4\n")), 32, 0, 32);
}

TEST(address_evidence, addresses_of_shared_memory_have_32_bits) {
  const std::string shared = "shared 256\nshared-memory 0x0 256 zero\n";
  expect_counts(result_of(kernel("/*0050*/ IADD3 R4, R2, -0x1000, RZ\n/*0060*/ LDS R9, [R4+0x40] @ 0x40+4\n"
                                 "/*0070*/ LDS R9, [R4+-0x4] mask fffffffe @ 0x0+4\n/*0080*/ STS [R4], R8 @ 0x4+4\n",
                                 "sm_75", shared)),
                32 + 31 + 32, 0, 32);
}

TEST(address_evidence, a_matrix_load_uses_the_lanes_of_its_rows) {
  const std::string shared = "shared 1024\nshared-memory 0x0 1024 zero\n";
  const std::string rows = "/*0050*/ SHF.L.U32 R4, R0, 0x4, RZ\n";
  expect_counts(result_of(kernel(rows + "/*0060*/ LDSM.16.M88 R9, [R4] @ 0x0+16\n/*0070*/ LDSM.16.M88.4 R12, [R4+0x10] @ 0x10+16\n",
                                 "sm_75", shared)),
                8 + 32, 0, 0);
}

TEST(address_evidence, uniform_registers_and_scales_are_part_of_an_address) {
  const std::string body =
      "/*0050*/ UMOV UR4, 0x100\n/*0060*/ UMOV UR5, 0x0\n/*0070*/ LDG.E R9, [R2.U32+UR4.64] @ 0x1100+4\n"
      "/*0080*/ LDG.E R9, desc[UR6][R2.64+0x8] @ 0x1008+4\n/*0090*/ LDG.E R9, [R2.64+UR4] @ 0x1104+4\n";
  expect_counts(result_of(kernel(body, "sm_80"), "ampere"), 96, 0, 32);
}

TEST(address_evidence, an_atomic_and_a_copy_to_shared_memory_are_accesses) {
  const std::string body =
      "/*0050*/ RED.E.ADD.STRONG.GPU [R2.64], R8 @ 0x1000+4\n/*0060*/ SHF.L.U32 R9, R0, 0x2, RZ\n"
      "/*0070*/ LDGSTS.E [R9], [R2.64] @ 0x1000+4\n/*0080*/ LDGSTS.E [R9], [R2.64+0x4] @ 0x1000+4\n";
  expect_counts(result_of(kernel(body, "sm_80", "shared 1024\nmemory 0x1000 4096 zero\n"), "ampere"), 96, 0, 32);
}

TEST(address_evidence, a_run_for_timing_alone_compares_nothing) {
  run_options options;
  options.data = false;
  expect_counts(result_of(kernel("/*0050*/ STG.E.SYS [R2], R8 @ 0x1100+4\n"), "turing", options), 0, 0, 0);
}

}  // namespace
}  // namespace tc::device::test::address_evidence_test
