// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>

#include "test_machine.hpp"

namespace tc::device::test::several_kernels_test {
namespace {

/// Copies 128 bytes from one place to another.
std::string copying_kernel(const std::string& header_lines, unsigned from, unsigned to) {
  return kernel_header(1, 1, header_lines) + cta_line(0) + warp_line(0) +
         fmt::format(
             "reg R2 0\nreg R3 0\n/*0000*/ LDG.E.SYS R4, [R2] @ {:#x}+4\n/*0010*/ STG.E.SYS [R2], R4 @ {:#x}+4\n"
             "/*0020*/ CS2R R6, SR_CLOCKLO\n/*0030*/ EXIT\n",
             from, to);
}

TEST(several_kernels, memory_is_kept_and_a_region_named_again_is_loaded_again) {
  test_machine machine(preset("turing"),
                       {copying_kernel("memory 0x1000 128 fill 7\nmemory 0x2000 128 zero\nexpect 0x2000 128 fill 7\n", 0x1000, 0x2000),
                        copying_kernel("memory 0x1000 128 fill 9\nmemory 0x3000 128 zero\nexpect 0x3000 128 fill 7\n", 0x2000, 0x3000),
                        copying_kernel("expect 0x3000 128 fill 9\nexpect 0x2000 128 fill 7\n", 0x1000, 0x3000)});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  ASSERT_EQ(result.kernels.size(), 3U);
  EXPECT_EQ(result.kernels[2].expectations.size(), 2U);
  std::array<std::uint8_t, 4> bytes{};
  ASSERT_TRUE(machine.device().peek_global(0x3000, bytes.data(), bytes.size()));
  EXPECT_EQ(bytes, (std::array<std::uint8_t, 4>{9, 9, 9, 9}));
  EXPECT_FALSE(machine.device().peek_global(0x5000, bytes.data(), bytes.size()));
}

TEST(several_kernels, run_one_after_the_other_and_take_the_same_time) {
  const std::string first = copying_kernel("memory 0x1000 256 zero\n", 0x1000, 0x1080);
  test_machine machine(preset("turing"), {first, first});
  const accounting::run_result result = machine.run();
  const accounting::kernel_result &one = result.kernels[0], &two = result.kernels[1];
  EXPECT_EQ(one.start, 0U);
  EXPECT_GT(two.start, one.end);
  EXPECT_LE(two.start, one.end + 1);
  EXPECT_EQ(one.cycles(), two.cycles());
  EXPECT_EQ(result.cycles, two.end);
  EXPECT_EQ(one.instructions, 4U);
  EXPECT_EQ(two.instructions, 4U);
  ASSERT_EQ(result.clock_reads.size(), 2U);
  EXPECT_EQ(result.clock_reads[1].kernel, 1U);
  EXPECT_EQ(result.clock_reads[1].index, 0U);
  EXPECT_EQ(result.clock_reads[1].cycle - two.start, result.clock_reads[0].cycle - one.start);
  expect_cycles_accounted(result);
}

// Both load the same line, from L2 into L1; loads of the second kernel must not find what the first left in L1.
TEST(several_kernels, begin_with_an_empty_l1_cache) {
  const std::string kernel = copying_kernel("memory 0x1000 256 zero\n", 0x1000, 0x1080);
  test_machine machine(preset("turing", {"global_memory.hierarchy.enabled=true"}), {kernel, kernel});
  EXPECT_EQ(machine.run().status, accounting::run_status::finished);
  EXPECT_EQ(accounting::statistic_sum("global_memory", "reads").sum(), 2U);
  EXPECT_EQ(accounting::statistic_sum("global_memory", "l1_hits").sum(), 0U);
  EXPECT_GT(accounting::statistic_sum("global_memory", "l2_hits").sum(), 0U);
}

/// Two kernels whose only warp has other values in R0 and R1; the first leaves them in the reuse cache, the second stores the product.
std::vector<std::string> kernels_of_one_slot(const std::string& product, const std::string& expected) {
  const auto body = [](const char* value, const std::string& instructions) {
    return cta_line(0) + warp_line(0) + fmt::format("reg R0 {0}\nreg R1 {0}\nreg R2 0x3c003c00\nreg R12 0\nreg R13 0\n", value) +
           instructions;
  };
  const std::string memory = fmt::format("memory 0x1000 128 zero\nexpect 0x1000 4 hex {}\n", expected);
  return {kernel_header(1, 1) + body("0x3c003c00", "/*0000*/ " + product + "\n/*0010*/ EXIT\n"),
          kernel_header(1, 1, memory) +
              body("0x40004000", "/*0000*/ " + product + "\n/*0010*/ STG.E.SYS [R12], R4 @ 0x1000+4\n/*0020*/ EXIT\n")};
}

// f32 of 0x40004000 times itself, and 8 times 2 times 1 in f16.
TEST(several_kernels, start_without_the_reuse_entries_of_the_last_warp) {
  test_machine machine(preset("turing"), kernels_of_one_slot("FMUL R4, R0.reuse, R1.reuse", "20808040"));
  EXPECT_EQ(machine.run().mismatches(), 0U);
}

TEST(several_kernels, start_without_the_fragments_of_the_last_warp) {
  test_machine machine(preset("turing"), kernels_of_one_slot("HMMA.1688.F32 R4, R0.reuse, R2.reuse, RZ", "00008041"));
  EXPECT_EQ(machine.run().mismatches(), 0U);
}

TEST(several_kernels, elaborate_for_the_largest) {
  std::string large = kernel_header(3, 1);
  for (unsigned cta = 0; cta < 3; ++cta) large += cta_line(cta) + warp_line(0) + "/*0000*/ EXIT\n";
  test_machine machine(preset("turing"), {kernel_header(1, 1) + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n", large});
  EXPECT_EQ(machine.device().sms(), 3U);
  EXPECT_EQ(machine.run().warps.size(), 4U);
}

}  // namespace
}  // namespace tc::device::test::several_kernels_test
