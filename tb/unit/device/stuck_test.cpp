// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "test_machine.hpp"

namespace tc::device::test::stuck_test {
namespace {

bool any_line_contains(const std::vector<std::string>& lines, const std::string& part) {
  for (const std::string& line : lines)
    if (line.find(part) != std::string::npos) return true;
  return false;
}

std::string all(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

constexpr const char* wait_and_exit = "/*0000*/ BAR.SYNC 0x0\n/*0010*/ NOP\n/*0020*/ EXIT\n";

TEST(barrier, opens_when_all_warps_have_arrived) {
  std::string text = kernel_header(1, 4) + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    text += warp_line(warp);
    for (unsigned i = 0; i < 10 * warp; ++i) text += "/*0100*/ NOP\n";
    text += wait_and_exit;
  }
  test_machine machine(preset("turing", {"sm.barrier.release_cycles=50"}), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  for (const accounting::warp_result& warp : result.warps) {
    EXPECT_GE(warp.last_issue, 80U);
    EXPECT_EQ(warp.last_issue, result.warps[0].last_issue) << "every warp goes on in the same cycle";
  }
  EXPECT_GT(result.stalls[links::stall_cause::cta_barrier], 200U);
  expect_cycles_accounted(result);
}

TEST(barrier, opens_when_the_missing_warp_exits) {
  std::string text = kernel_header(1, 2) + cta_line(0) + warp_line(0) + wait_and_exit + warp_line(1);
  for (unsigned i = 0; i < 40; ++i) text += "/*0100*/ NOP\n";
  test_machine machine(preset("turing"), {text + "/*0200*/ EXIT\n"});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_GT(result.warps[0].last_issue, 40U);
}

TEST(stuck, a_barrier_waits_for_a_warp_that_the_trace_does_not_hold) {
  const std::string text = kernel_header(1, 4) + cta_line(0) + warp_line(0) + wait_and_exit + warp_line(3) + wait_and_exit;
  test_machine machine(preset("turing"), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_FALSE(machine.device().finished());
  EXPECT_TRUE(any_line_contains(result.waiting, "warp 0 of CTA 0")) << all(result.waiting);
  EXPECT_TRUE(any_line_contains(result.waiting, "waits (BAR.SYNC: for other warps of the CTA)")) << all(result.waiting);
  EXPECT_TRUE(any_line_contains(result.waiting, "barrier 0 of CTA 0: warps 0, 3 arrived; missing: warps 1, 2")) << all(result.waiting);
  EXPECT_TRUE(any_line_contains(result.waiting, "the trace does not hold warps 1, 2")) << all(result.waiting);
  EXPECT_FALSE(result.kernels[0].finished);
  EXPECT_EQ(result.kernels[0].instructions, 2U);
}

/// What each warp of a CTA does, and then exits.
std::string warps(const std::vector<std::string>& bodies) {
  std::string text = kernel_header(1, static_cast<unsigned>(bodies.size())) + cta_line(0);
  for (unsigned warp = 0; warp < bodies.size(); ++warp) text += warp_line(warp) + bodies[warp] + "/*f000*/ EXIT\n";
  return text;
}

accounting::run_result run_of(const std::string& trace) {
  test_machine machine(preset("turing"), {trace});
  return machine.run();
}

TEST(barrier, without_a_number_is_barrier_0) {
  EXPECT_EQ(run_of(warps({"/*0000*/ BAR.SYNC\n", "/*0000*/ BAR.SYNC 0x0\n"})).status, accounting::run_status::finished);
}

TEST(barrier, of_some_warps_does_not_wait_for_the_others) {
  const std::string late = "/*0000*/ BAR.SYNC 0x2, 0x40\n", early = "/*0000*/ BAR.SYNC 0x1, 0x40\n";
  std::string nops;
  for (unsigned i = 0; i < 100; ++i) nops += "/*0000*/ NOP\n";
  const accounting::run_result result = run_of(warps({early, nops + late, early, late}));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_LT(result.warps[0].last_issue, 50U);
  EXPECT_EQ(result.warps[0].last_issue, result.warps[2].last_issue);
  EXPECT_GT(result.warps[3].last_issue, 100U);
}

TEST(barrier, lets_warps_go_on_that_only_arrive) {
  std::string nops;
  for (unsigned i = 0; i < 100; ++i) nops += "/*0000*/ NOP\n";
  const accounting::run_result result = run_of(warps({"/*0000*/ BAR.ARV 0x1, 0x40\n", nops + "/*0000*/ BAR.SYNC 0x1, 0x40\n"}));
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_LT(result.warps[0].last_issue, 50U);
  expect_cycles_accounted(result);
}

constexpr const char* predicated = "/*0000*/ @P0 BAR.SYNC 0x0 mask 00000000\n";

TEST(barrier, holds_nobody_who_does_not_execute_it) {
  const std::string both = "/*0010*/ BAR.SYNC 0x2, 0x40\n";
  EXPECT_EQ(run_of(warps({predicated + both, both})).status, accounting::run_status::finished);
}

TEST(stuck, a_warp_that_does_not_execute_its_barrier_does_not_count) {
  const accounting::run_result alone = run_of(warps({predicated, "/*0000*/ BAR.SYNC 0x0, 0x40\n"}));
  EXPECT_EQ(alone.status, accounting::run_status::stuck);
  EXPECT_TRUE(any_line_contains(alone.waiting, "barrier 0 of CTA 0: warps 1 arrived; 1 arrivals of 2")) << all(alone.waiting);
}

TEST(stuck, a_warp_at_another_barrier_does_not_count) {
  std::string text = kernel_header(1, 2) + cta_line(0) + warp_line(0) + "/*0000*/ BAR.SYNC 0x2\n/*0010*/ EXIT\n";
  text += warp_line(1) + "/*0000*/ BAR.SYNC 0x1\n/*0010*/ EXIT\n";
  test_machine machine(preset("turing"), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_TRUE(any_line_contains(result.waiting, "barrier 1 of CTA 0: warps 1 arrived; missing: warps 0")) << all(result.waiting);
  EXPECT_TRUE(any_line_contains(result.waiting, "barrier 2 of CTA 0: warps 0 arrived; missing: warps 1")) << all(result.waiting);
}

TEST(stuck, other_ctas_finish_first) {
  std::string text = kernel_header(2, 2) + cta_line(0) + warp_line(0) + wait_and_exit + cta_line(1);
  text += warp_line(0) + wait_and_exit + warp_line(1) + wait_and_exit;
  test_machine machine(preset("turing"), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_EQ(result.warps.size(), 2U);
  EXPECT_FALSE(any_line_contains(result.waiting, "CTA 1")) << all(result.waiting);
}

TEST(stuck, slow_is_not_stuck) {
  const std::string text = kernel_header(1, 1, "memory 0x1000 128 zero\n") + cta_line(0) + warp_line(0) +
                           "reg R2 0\nreg R3 0\n/*0000*/ LDG.E.SYS R4, [R2] @ 0x1000+4\n/*0010*/ IADD3 R4, R4, R4, RZ\n/*0020*/ EXIT\n";
  test_machine machine(preset("turing", {"global_memory.latency_cycles=100000000"}), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_GT(result.cycles, 100000000U);
}

}  // namespace
}  // namespace tc::device::test::stuck_test
