// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>

#include "test_machine.hpp"

namespace tc::device::test::run_limit_test {
namespace {

std::string straight_line(unsigned instructions) {
  std::string text = kernel_header(1, 1) + cta_line(0) + warp_line(0);
  for (unsigned i = 0; i < instructions; ++i) text += "/*0000*/ [B------:R-:W-:-:S01] NOP\n";
  return text + "/*0010*/ [B------:R-:W-:-:S01] EXIT\n";
}

/// With and without edges that run ahead of SystemC.
class cycle_limit : public testing::TestWithParam<bool> {
 protected:
  static run_options until(cycle_t cycle) {
    run_options options;
    options.max_cycles = cycle;
    options.is_alone = GetParam();
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(alone, cycle_limit, testing::Bool());

TEST_P(cycle_limit, stops_before_the_cycle) {
  test_machine machine(preset("turing"), {straight_line(100)}, until(50));
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::cycle_limit);
  EXPECT_EQ(result.instructions, 50U);
  EXPECT_FALSE(result.waiting.empty());
}

TEST_P(cycle_limit, does_not_touch_a_run_that_ends_before) {
  test_machine machine(preset("turing"), {straight_line(100)}, until(5000));
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.instructions, 101U);
  EXPECT_EQ(result.cycles, 101U);
}

/// Resident memory in KiB, of Linux's account of this process.
std::uint64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.rfind("VmRSS:", 0) == 0) return std::stoull(line.substr(6));
  return 0;
}

TEST(memory, does_not_grow_with_the_length_of_the_trace) {
  constexpr unsigned instructions = 200000;
  test_machine machine(preset("turing"), {straight_line(100), straight_line(instructions)});
  const std::uint64_t before = resident_kib();
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.instructions, instructions + 102U);
  EXPECT_LT(resident_kib() - before, 4096U) << "a record of 24 bytes for each instruction would take more";
}

}  // namespace
}  // namespace tc::device::test::run_limit_test
