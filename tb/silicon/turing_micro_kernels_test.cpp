// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <ostream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "issue_log.hpp"
#include "listing.hpp"
#include "recorded_run.hpp"

namespace turing_micro_kernels_test {

// Kernels of one wmma between two clock reads, as a compiler makes them for sm_75: the operands' loads go before the first clock read,
// which does not wait for them, and the last matrix instructions may be under way at the second. So the interval holds a load, and what the
// sets take shows only from the first of them on.

namespace {

using namespace tc;
using fabric::cycle_t;

struct micro_kernel {
  const char* name;
  const char* instruction;
  /// From the first set to the second clock read: at least by the stall counts, and at most until all results are there.
  cycle_t least, most;
};

std::ostream& operator<<(std::ostream& out, const micro_kernel& kernel) { return out << kernel.name; }

/// Where the compiled kernel is, or where it would be.
std::filesystem::path trace_of(const micro_kernel& kernel) {
  const std::string name = std::string("sm_75.micro_") + kernel.name;
  const auto shared = silicon::shared_folder() / "traces" / (name + ".trace");
  if (!silicon::shared_folder().empty() && std::filesystem::exists(shared)) return shared;
  return std::filesystem::path(TC_SOURCE_DIR) / "traces" / name / "kernel.trace";
}

class turing_micro_kernels : public testing::TestWithParam<micro_kernel> {};

TEST_P(turing_micro_kernels, have_exact_results_and_the_cycles_of_their_sets) {
  const micro_kernel& kernel = GetParam();
  const auto path = trace_of(kernel);
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  const auto trace = trace::trace::open(path);
  silicon::issue_log log;
  auto options = silicon::preset_options();
  options.binder = &log;
  const auto result = silicon::run(trace, silicon::machine_of("turing_geforce"), options);
  ASSERT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0U);

  ASSERT_EQ(result.clock_reads.size(), 2U);
  const cycle_t first_set = log.cycles(0, kernel.instruction).at(0);
  const cycle_t between = result.clock_reads[1].cycle - result.clock_reads[0].cycle;
  const cycle_t sets = result.clock_reads[1].cycle - first_set;
  std::cout << fmt::format("{}: {} cycles between the clock reads, {} of them from the first set on\n", kernel.name, between, sets);
  EXPECT_GT(between, sets) << "the first clock read does not wait for the operands";
  EXPECT_GE(sets, kernel.least);
  EXPECT_LE(sets, kernel.most);
}

// Four HMMA.1688 in two chains: stalls of 8; the third waits for the first two, each of 14 cycles (f16) or of 22 behind 16 (f32 on
// GeForce). Four independent IMMA.8816: stalls of 4, latency 10. One IMMA.8832 or BMMA.88128: latency 10.
INSTANTIATE_TEST_SUITE_P(
    compiled, turing_micro_kernels,
    testing::Values(micro_kernel{"f16_f16_m16n16k16", "HMMA.1688.F16", 32, 46}, micro_kernel{"f16_f32_m16n16k16", "HMMA.1688.F32", 32, 78},
                    micro_kernel{"f16_f32_m32n8k16", "HMMA.1688.F32", 32, 78}, micro_kernel{"s8_s32_m16n16k16", "IMMA.8816", 16, 24},
                    micro_kernel{"s8_s32_m8n32k16", "IMMA.8816", 16, 24}, micro_kernel{"s4_s32_m8n8k32", "IMMA.8832", 6, 12},
                    micro_kernel{"b1_s32_m8n8k128", "BMMA.88128", 6, 12}));

}  // namespace

}  // namespace turing_micro_kernels_test
