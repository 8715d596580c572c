// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "test_machine.hpp"

// Kernels whose warps wait for one thing, in so many cycles by hand.

namespace tc::device::test::stall_cause_test {
namespace {

using links::stall_cause;

/// One CTA of warps that all run the same instructions, a cycle apart by their control codes.
std::string kernel_of(unsigned warps, const std::vector<std::string>& instructions) {
  std::string text = kernel_header(1, warps) + cta_line(0);
  for (unsigned warp = 0; warp < warps; ++warp) {
    text += warp_line(warp);
    unsigned pc = 0;
    for (const std::string& instruction : instructions)
      text += fmt::format("/*{:04x}*/ [B------:R-:W-:-:S01] {}\n", 16 * pc++, instruction);
  }
  return text;
}

/// Expects that warps lost so many cycles, all for one cause.
void expect_stalls(const accounting::run_result& result, stall_cause cause, std::uint64_t cycles) {
  EXPECT_EQ(result.stalls[cause], cycles);
  EXPECT_EQ(result.stalls.sum(), cycles);
}

// 16 lanes take the first of two FMULs in two cycles.
TEST(stall_cause, pipe_busy) {
  test_machine machine(preset("turing"), {kernel_of(1, {"FMUL R8, R2, R5", "FMUL R10, R2, R5", "EXIT"})});
  expect_stalls(machine.run(), stall_cause::pipe_busy, 1);
}

// Warps 0 and 4 share a sub-core: one of them waits while the other issues both its instructions.
TEST(stall_cause, not_selected) {
  test_machine machine(preset("turing"), {kernel_of(5, {"NOP", "EXIT"})});
  expect_stalls(machine.run(), stall_cause::not_selected, 2);
}

// The first line comes from L2 in 200 cycles, and into the instruction buffer in two more.
TEST(stall_cause, no_instruction) {
  test_machine machine(preset("turing", {"sm.sub_core.fetch.ideal=false"}), {kernel_of(1, {"NOP", "EXIT"})});
  expect_stalls(machine.run(), stall_cause::no_instruction, 202);
}

}  // namespace
}  // namespace tc::device::test::stall_cause_test
