// SPDX-License-Identifier: Apache-2.0
#include "pointer_chase.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>

#include "recorded_run.hpp"

namespace pointer_chase_test {

namespace {

using namespace tc;
using fabric::cycle_t;
using silicon::pointer_chase;

constexpr std::uint64_t kib = 1024, mib = 1024 * kib, base = 0x10000000;

/// Jia et al., arXiv 1804.06826, table 3.1 and figure 3.2: a V100's L1 hit, L2 hit, L2 miss, and first touch of a page.
class v100_levels : public testing::TestWithParam<const char*> {};

TEST_P(v100_levels, are_those_of_the_study) {
  pointer_chase chase(GetParam(), {base, base, base + 64, base + 64, base + 32, base + 32, base + 32 * mib, base});
  EXPECT_EQ(chase.run("sm_70", silicon::machine_of("volta")), (std::vector<cycle_t>{1029, 28, 375, 28, 193, 28, 1029}));
}

INSTANTIATE_TEST_SUITE_P(of, v100_levels, testing::Values("LDG.E.SYS R2, [R2]", "LDG.E.64.SYS R2, [R2]"));

/// A ring of lines twice as large as the L1 cache: in the second round it has none of them, the L2 cache all.
TEST(v100, chase_beyond_the_l1_cache_hits_the_l2_cache) {
  std::vector<std::uint64_t> addresses;
  for (unsigned round = 0; round < 2; ++round)
    for (std::uint64_t line = 0; line < 64 * kib / 128; ++line) addresses.push_back(base + 128 * line);
  pointer_chase chase("LDG.E.64.SYS R2, [R2]", addresses);
  const auto cycles = chase.run("sm_70", silicon::machine_of("volta"));
  const std::size_t lines = 64 * kib / 128;
  EXPECT_EQ(cycles.front(), 1029U);
  EXPECT_EQ(std::vector<cycle_t>(cycles.begin() + 1, cycles.begin() + lines), std::vector<cycle_t>(lines - 1, 375));
  EXPECT_EQ(std::vector<cycle_t>(cycles.begin() + lines, cycles.end()), std::vector<cycle_t>(lines - 1, 193));
  EXPECT_EQ(accounting::statistic_sum("global_memory", "l1_hits").sum(), 0U);
  EXPECT_EQ(accounting::statistic_sum("global_memory", "l2_hits").sum(), lines);
  EXPECT_EQ(accounting::statistic_sum("global_memory", "translation_misses").sum(), 1U);
}

TEST(v100, without_the_hierarchy_takes_one_latency) {
  pointer_chase chase("LDG.E.64.SYS R2, [R2]", {base, base, base + 64, base + 32 * mib});
  EXPECT_EQ(chase.run("sm_70", silicon::machine_of("volta", {"global_memory.hierarchy.enabled=false"})), std::vector<cycle_t>(3, 193));
}

/// Measured on an H200: 34 cycles for a chase of 64-bit pointers, which leave in two registers.
TEST(h200, loads_of_wide_words_return_their_registers_one_after_the_other) {
  pointer_chase chase("LDG.E.64 R2, [R2.64]", {base, base, base});
  EXPECT_EQ(chase.run("sm_90", silicon::machine_of("hopper"))[1], 34U);
}

TEST(h200, strong_loads_go_past_the_l1_cache) {
  pointer_chase chase("LDG.E.STRONG.GPU R2, [R2.64]", {base, base, base});
  EXPECT_EQ(chase.run("sm_90", silicon::machine_of("hopper"))[1], 307U);
}

}  // namespace

}  // namespace pointer_chase_test
