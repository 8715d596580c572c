// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>
#include <tc/device/gpu.hpp>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace issue_test {

namespace {

using namespace tc;
using fabric::cycle_t;

/// Issue cycles of one warp's instructions on the Hopper machine, relative to the first.
std::vector<cycle_t> issue_cycles(const std::vector<std::string>& stream) {
  const auto trace = silicon::make_trace("sm_90", {stream});
  silicon::issue_log log;
  auto options = silicon::preset_options();
  options.data = false;
  options.binder = &log;
  EXPECT_EQ(silicon::run(trace, silicon::machine_of("hopper"), options).status, accounting::run_status::finished);
  auto cycles = log.cycles(0, "");
  for (auto cycle = cycles.rbegin(); cycle != cycles.rend(); ++cycle) *cycle -= cycles.front();
  return cycles;
}

using cycles = std::vector<cycle_t>;

TEST(issue, obeys_stall_counts) {
  EXPECT_EQ(issue_cycles({"[B------:R-:W-:-:S01] FADD R1, R2, RZ", "[B------:R-:W-:-:S07] FADD R3, R4, RZ",
                          "[B------:R-:W-:-:S15] FADD R5, R6, RZ", "[B------:R-:W-:-:S01] FADD R7, R8, RZ"}),
            (cycles{0, 1, 8, 23}));
}

TEST(issue, takes_a_stall_of_zero_for_one) {
  EXPECT_EQ(issue_cycles({"[B------:R-:W-:-:S00] FADD R1, R2, RZ", "[B------:R-:W-:-:S01] FADD R3, R4, RZ"}), (cycles{0, 1}));
}

// Recorded on an H200: Y with S01 costs one cycle more; with a larger stall it changes nothing.
TEST(issue, yields_for_one_cycle) {
  EXPECT_EQ(issue_cycles({"[B------:R-:W-:Y:S01] MOV R1, R2", "[B------:R-:W-:Y:S04] MOV R3, R4", "[B------:R-:W-:-:S01] MOV R5, R6"}),
            (cycles{0, 2, 6}));
}

// Recorded on an H200: the result of LDC 25 cycles after its issue, that of S2R 20, the operands of a store read after 8.
TEST(issue, waits_for_the_barriers_of_queued_instructions) {
  EXPECT_EQ(issue_cycles({"[B------:R-:W0:-:S02] LDC R1, c[0x0][0x28]", "[B0-----:R-:W-:-:S01] MOV R3, R1"}), (cycles{0, 25}));
}
TEST(issue, waits_for_special_registers) {
  EXPECT_EQ(issue_cycles({"[B------:R-:W3:-:S02] S2R R1, SR_TID.X", "[B---3--:R-:W-:-:S01] MOV R3, R1"}), (cycles{0, 20}));
}
TEST(issue, waits_for_the_operands_of_a_store) {
  EXPECT_EQ(issue_cycles({"[B------:R1:W-:-:S02] STG.E desc[UR4][R2.64], R5 @ 0x10000+4", "[B-1----:R-:W-:-:S01] MOV R5, R1"}),
            (cycles{0, 8}));
}

// Several instructions may name one barrier: it is zero when all of them have released it.
TEST(issue, waits_for_all_instructions_that_name_a_barrier) {
  EXPECT_EQ(issue_cycles({"[B------:R-:W0:-:S08] LDC R1, c[0x0][0x28]", "[B------:R-:W0:-:S02] LDC R2, c[0x0][0x2c]",
                          "[B0-----:R-:W-:-:S01] MOV R3, R1"}),
            (cycles{0, 8, 33}));
}

TEST(issue, does_not_wait_without_a_mask) {
  EXPECT_EQ(issue_cycles({"[B------:R-:W0:-:S01] LDC R1, c[0x0][0x28]", "[B-12345:R-:W-:-:S01] MOV R3, R4"}), (cycles{0, 1}));
}

TEST(issue, waits_for_the_counter_that_depbar_names) {
  const auto found = issue_cycles(
      {"[B------:R-:W0:-:S01] LDC R1, c[0x0][0x28]", "[B------:R-:W-:-:S01] DEPBAR.LE SB0, 0x0", "[B------:R-:W-:-:S01] MOV R3, R1"});
  ASSERT_EQ(found.size(), 2u) << "DEPBAR ends in the scheduler";
  EXPECT_EQ(found[1], 26u);
}

// Dependence counters are incremented in the cycle behind issue (Huerta et al., arXiv 2503.20481, section 5.1.1). Compiled code leaves two
// cycles.
TEST(issue, does_not_see_the_counter_of_the_cycle_before) {
  EXPECT_EQ(
      issue_cycles({"[B------:R-:W0:-:S01] LDC R1, c[0x0][0x28]", "[B0-----:R-:W-:-:S01] MOV R3, R1", "[B0-----:R-:W-:-:S01] MOV R4, R1"}),
      (cycles{0, 1, 25}));
}

// A recorded control code that lets a consumer go too early is reported, and the old value is read.
TEST(issue, reports_what_reads_a_register_too_early) {
  const auto trace =
      silicon::make_trace("sm_90", {{"[B------:R-:W-:-:S02] IADD3 R4, R2, R3, RZ", "[B------:R-:W-:-:S01] IADD3 R5, R4, R3, RZ"}});
  const auto result = silicon::run(trace, silicon::machine_of("hopper"), silicon::preset_options());
  ASSERT_EQ(result.hazards.size(), 1u);
  EXPECT_EQ(result.hazards[0].reg, "R4");
  EXPECT_EQ(result.hazards[0].cycles_early, 2u);
}

TEST(issue, waits_for_the_register_under_interlock) {
  const auto trace =
      silicon::make_trace("sm_90", {{"[B------:R-:W-:-:S02] IADD3 R4, R2, R3, RZ", "[B------:R-:W-:-:S01] IADD3 R5, R4, R3, RZ"}});
  silicon::issue_log log;
  device::run_options options;
  options.binder = &log;
  const auto result = silicon::run(trace, silicon::machine_of("hopper"), options);
  EXPECT_TRUE(result.hazards.empty());
  EXPECT_EQ(silicon::intervals(log.cycles(0, "IADD3")), (cycles{4}));
}

/// The order in which four warps of one sub-core get their first and second instruction.
std::string order_of_warps(const std::string& policy) {
  const std::vector<std::string> stream{"MOV R1, R2", "MOV R3, R4"};
  const auto trace = silicon::make_trace("sm_90", {stream, stream, stream, stream});
  silicon::issue_log log;
  device::run_options options;
  options.data = false;
  options.binder = &log;
  EXPECT_EQ(silicon::run(trace, silicon::machine_of("hopper", {"sm.sub_cores=1", "sm.sub_core.issue.policy=" + policy}), options).status,
            accounting::run_status::finished);
  std::string order;
  for (const auto& entry : log.entries()) order += std::to_string(entry.warp);
  return order;
}

TEST(warp_policy, stays_with_a_warp_and_goes_on_with_the_youngest) { EXPECT_EQ(order_of_warps("greedy_then_youngest"), "33221100"); }
TEST(warp_policy, stays_with_a_warp_and_goes_on_with_the_oldest) { EXPECT_EQ(order_of_warps("greedy_then_oldest"), "00112233"); }
TEST(warp_policy, goes_round) { EXPECT_EQ(order_of_warps("loose_round_robin"), "01230123"); }

/// Whatever the kernel, every cycle of a warp from its start to its exit is issued or stalled for one cause, and every issue slot until the
/// last issue of its sub-core is issued or empty for one.
class cycle_accounting : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(cycle_accounting, adds_up) {
  const auto trace = trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "traces" / GetParam().first / "kernel.trace");
  device::gpu gpu("gpu", silicon::machine_of(GetParam().second), {{"trace", &trace}}, silicon::preset_options());
  const auto result = gpu.run();
  cycle_t alive = 0;
  std::uint64_t issued = 0;
  for (const auto& warp : result.warps) {
    alive += warp.last_issue + 1 - warp.started;
    issued += warp.instructions;
  }
  EXPECT_EQ(issued, result.instructions);
  EXPECT_EQ(issued + result.stalls.sum(), alive);
  EXPECT_EQ(result.stalls[links::stall_cause::none], 0u);
  EXPECT_EQ(accounting::statistic_sum("scheduler", "issued").sum(), accounting::statistic_sum("scheduler", "retired").sum());

  std::map<unsigned, cycle_t> slots_of;  // by sub-core: warp modulo 4
  for (const auto& warp : result.warps) slots_of[warp.warp % 4] = std::max(slots_of[warp.warp % 4], warp.last_issue + 1);
  cycle_t slots = 0;
  for (const auto& [sub_core, count] : slots_of) slots += count;
  EXPECT_EQ(accounting::statistic_sum("scheduler", "issued").sum() + accounting::statistic_sum("scheduler", "empty").sum(), slots);
}

INSTANTIATE_TEST_SUITE_P(project, cycle_accounting,
                         testing::Values(std::pair{"sm_75.tiled_f16_f32", "turing"}, std::pair{"sm_75.tiled_f16_f32", "collectors"},
                                         std::pair{"sm_80.gemm_f16_f32_m16n16k16", "ampere"},
                                         std::pair{"sm_90.gemm_f16_f32_m16n16k16.rough", "hopper"}));

}  // namespace

}  // namespace issue_test
