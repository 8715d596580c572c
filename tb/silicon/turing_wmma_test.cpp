// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "listing.hpp"
#include "recorded_run.hpp"
#include "wmma_timing.hpp"

namespace turing_wmma_test {

// The sets of a wmma on Turing against what was measured on an RTX 2080 Ti (Shin, Yonsei University, 2020, table 2).

namespace {

using namespace tc;
using fabric::cycle_t;

/// A row: the cycles after each of the four sets. Those after the first depend on what lies between the clock and it, which is not known;
/// the intervals do not.
class turing_wmma : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  std::vector<cycle_t> measured() const {
    std::vector<cycle_t> cycles;
    for (std::size_t i = 2; i < GetParam().size(); ++i) cycles.push_back(std::stoull(GetParam()[i]));
    return cycles;
  }

  /// With the first value of the row.
  std::vector<cycle_t> modelled() const {
    auto cycles = silicon::turing_set_cycles(GetParam()[0], GetParam()[1]);
    const cycle_t offset = measured().front() - cycles.front();
    for (cycle_t& cycle : cycles) cycle += offset;
    return cycles;
  }
};

TEST_P(turing_wmma, takes_the_measured_intervals) {
  const std::string &precision = GetParam()[0], &tile = GetParam()[1];
  const auto expected = measured(), found = modelled();
  std::cout << fmt::format("{} {}: measured {} {} {} {}, modelled {} {} {} {}\n", precision, tile, expected[0], expected[1], expected[2],
                           expected[3], found[0], found[1], found[2], found[3]);
  if (precision == "s8" || (precision == "f16" && tile == "m8n32k16")) {
    EXPECT_EQ(found, expected);
    return;
  }
  for (std::size_t i = 1; i < expected.size(); ++i) {
    const double error = static_cast<double>(found[i] - found[i - 1]) - static_cast<double>(expected[i] - expected[i - 1]);
    EXPECT_LE(std::abs(error), precision == "f16" ? 2 : 3) << "interval " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(rows, turing_wmma, testing::ValuesIn(silicon::rows_of("turing_wmma_cycles.csv")),
                         [](const auto& row) { return row.param[0] + "_" + row.param[1]; });

/// Cycles between the clock reads of a compiled kernel of one INT4 or single-bit instruction.
cycle_t cycles_of_micro_kernel(const std::string& kernel, const std::vector<std::string>& assignments) {
  const auto trace = trace::trace::open(silicon::shared_folder() / "traces" / ("sm_75.micro_" + kernel + ".trace"));
  const auto result = silicon::run(trace, silicon::machine_of("turing_geforce", assignments), silicon::preset_options());
  EXPECT_EQ(result.mismatches(), 0u);
  return silicon::clock_differences(result).at(0);
}

/// The 365 cycles that tables give for one INT4 or single-bit instruction, whose latency is 10: compiled code reads the clock before the
/// operands have come from global memory, so that the interval grows with the memory's latency, cycle for cycle.
class turing_micro_kernel : public testing::TestWithParam<std::pair<std::string, unsigned>> {};

TEST_P(turing_micro_kernel, waits_for_global_memory_between_its_clock_reads) {
  if (silicon::shared_folder().empty()) GTEST_SKIP() << "the compiled kernels are not there";
  const auto [kernel, latency] = GetParam();
  const cycle_t cycles = cycles_of_micro_kernel(kernel, {"global_memory.latency_cycles=" + std::to_string(latency)});
  std::cout << kernel << " with a global memory of " << latency << " cycles: " << cycles << '\n';
  EXPECT_GT(cycles, latency);
  EXPECT_LT(cycles, latency + 60);
}

INSTANTIATE_TEST_SUITE_P(of, turing_micro_kernel,
                         testing::Values(std::pair{"s4_s32_m8n8k32", 216u}, std::pair{"s4_s32_m8n8k32", 330u},
                                         std::pair{"b1_s32_m8n8k128", 330u}));

}  // namespace

}  // namespace turing_wmma_test
