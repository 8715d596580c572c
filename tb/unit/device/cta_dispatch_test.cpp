// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>

#include "test_machine.hpp"

namespace tc::device::test::cta_dispatch_test {
namespace {

/// Every warp stores its CTA's number; the region of a CTA is 128 bytes for each warp.
std::string storing_kernel(unsigned ctas, unsigned warps, const std::string& header_lines = "", const std::string& arch = "sm_75") {
  std::string expected;
  std::string body;
  for (unsigned cta = 0; cta < ctas; ++cta) {
    body += cta_line(cta);
    for (unsigned warp = 0; warp < warps; ++warp) {
      for (unsigned lane = 0; lane < 32; ++lane) expected += fmt::format("{:02x}{:02x}0000", cta, warp);
      body += warp_line(warp) + fmt::format("reg R4 {:#x}\nreg R2 0\nreg R3 0\n/*0000*/ STG.E [R2.64], R4 @ {:#x}+4\n/*0010*/ EXIT\n",
                                            warp << 8 | cta, 0x10000 + 128 * (cta * warps + warp));
    }
  }
  const unsigned bytes = 128 * ctas * warps;
  const std::string memory = fmt::format("memory 0x10000 {} zero\nexpect 0x10000 {} hex {}\n", bytes, bytes, expected);
  return kernel_header(ctas, warps, header_lines + memory, arch) + body;
}

/// When each CTA's warps started.
std::map<std::uint32_t, cycle_t> starts(const accounting::run_result& result) {
  std::map<std::uint32_t, cycle_t> start;
  for (const accounting::warp_result& warp : result.warps) {
    const auto [entry, is_first] = start.emplace(warp.cta, warp.started);
    EXPECT_TRUE(is_first || entry->second == warp.started) << "warps of a CTA start together";
  }
  return start;
}

std::uint64_t started_at(const accounting::run_result& result, cycle_t cycle) {
  const auto start = starts(result);
  return static_cast<std::uint64_t>(std::count_if(start.begin(), start.end(), [=](const auto& cta) { return cta.second == cycle; }));
}

TEST(cta_dispatch, every_cta_runs_once_and_sees_its_own_registers) {
  test_machine machine(preset("turing", {"sms=3", "sm.max_ctas=2"}), {storing_kernel(20, 3)});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_EQ(result.kernels[0].expectations.at(0).bytes, 128U * 60);
  EXPECT_EQ(result.warps.size(), 60U);
  EXPECT_EQ(result.instructions, 120U);
  EXPECT_EQ(started_at(result, 0), 6U);
  expect_cycles_accounted(result);
}

TEST(cta_dispatch, elaborates_only_sms_that_get_a_cta) {
  test_machine machine(preset("turing"), {storing_kernel(3, 1)});
  EXPECT_EQ(machine.device().sms(), 3U);
  EXPECT_EQ(machine.run().mismatches(), 0U);
}

TEST(cta_dispatch, goes_breadth_first_and_in_order) {
  test_machine machine(preset("turing", {"sms=2", "sm.max_ctas=2"}), {storing_kernel(8, 1)});
  const accounting::run_result result = machine.run();
  const auto start = starts(result);
  for (std::uint32_t cta = 1; cta < 8; ++cta) EXPECT_LE(start.at(cta - 1), start.at(cta));
  EXPECT_EQ(started_at(result, 0), 4U);
  EXPECT_GT(start.at(4), start.at(3));
}

TEST(cta_dispatch, gives_each_cta_to_the_first_sm_with_the_fewest) {
  test_machine machine(preset("turing", {"sms=2", "sm.max_ctas=4"}), {storing_kernel(3, 1)});
  EXPECT_EQ(started_at(machine.run(), 0), 3U);
  EXPECT_EQ(accounting::statistic_sum("sm_0", "ctas").sum(), 2U);
  EXPECT_EQ(accounting::statistic_sum("sm_1", "ctas").sum(), 1U);
}

TEST(cta_dispatch, a_place_is_taken_again_after_the_stores_are_acknowledged) {
  test_machine machine(preset("turing", {"sms=1", "sm.max_ctas=1", "global_memory.latency_cycles=700"}), {storing_kernel(3, 1)});
  const auto start = starts(machine.run());
  EXPECT_GT(start.at(1), 700U);
  EXPECT_GT(start.at(2), start.at(1) + 700);
}

TEST(cta_dispatch, shared_memory_limits_residency) {
  test_machine machine(preset("turing", {"sms=1"}), {storing_kernel(6, 1, "registers 32\nshared 20000\n")});
  EXPECT_EQ(started_at(machine.run(), 0), 3U);
}

TEST(cta_dispatch, registers_limit_residency) {
  test_machine machine(preset("turing", {"sms=1"}), {storing_kernel(6, 1, "registers 128\n")});
  EXPECT_EQ(started_at(machine.run(), 0), 4U);
}

TEST(cta_dispatch, places_clusters_whole) {
  test_machine machine(preset("hopper", {"sms=3", "sm.max_ctas=1"}), {storing_kernel(6, 1, "cluster 2 1 1\n", "sm_90")});
  const accounting::run_result result = machine.run();
  const auto start = starts(result);
  EXPECT_EQ(started_at(result, 0), 2U) << "the third SM is too small for a cluster by itself";
  for (std::uint32_t cta = 0; cta < 6; cta += 2) EXPECT_EQ(start.at(cta), start.at(cta + 1));
  EXPECT_EQ(result.mismatches(), 0U);
}

TEST(cta_dispatch, runs_ctas_that_the_trace_holds_in_part) {
  const std::string text = kernel_header(100, 4, "") + cta_line(7) + warp_line(2) + "/*0000*/ EXIT\n";
  test_machine machine(preset("turing"), {text});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  ASSERT_EQ(result.warps.size(), 1U);
  EXPECT_EQ(result.warps[0].cta, 7U);
  EXPECT_EQ(result.warps[0].warp, 2U);
  EXPECT_EQ(result.warps[0].first_issue, 0U);
  EXPECT_EQ(result.cycles, 1U);
}

TEST(cta_dispatch, every_cta_finds_its_own_shared_memory_image) {
  test_machine machine(preset("turing", {"sms=1", "sm.max_ctas=2"}), {shared_image_kernel(4)});
  EXPECT_EQ(machine.run().mismatches(), 0U);
}

}  // namespace
}  // namespace tc::device::test::cta_dispatch_test
