// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>
#include <tc/device/sliced_simulation.hpp>

#include "test_machine.hpp"

// What is seen in a pause, and that pausing changes nothing.

namespace tc::device::test::run_pauses_test {
namespace {

/// Pauses at fixed cycles and notes how many instructions have been issued by then.
class issue_counts final : public run_pauses {
 public:
  explicit issue_counts(std::vector<cycle_t> cycles) : cycles_(std::move(cycles)) {}

  std::optional<cycle_t> next() const override { return seen.size() < cycles_.size() ? std::optional(cycles_[seen.size()]) : std::nullopt; }
  void look(cycle_t cycle) override { seen.emplace_back(cycle, accounting::statistic_sum("scheduler", "issued").sum()); }

  std::vector<std::pair<cycle_t, std::uint64_t>> seen;

 private:
  std::vector<cycle_t> cycles_;
};

/// Every so many cycles.
class regular_pauses final : public run_pauses {
 public:
  explicit regular_pauses(cycle_t interval) : interval_(interval) {}

  std::optional<cycle_t> next() const override { return (looks + 1) * interval_; }
  void look(cycle_t) override { ++looks; }

  cycle_t looks = 0;

 private:
  cycle_t interval_;
};

/// A warp that issues an instruction in each cycle from 0 on.
std::string straight_line(unsigned instructions) {
  std::string text = kernel_header(1, 1) + cta_line(0) + warp_line(0);
  for (unsigned i = 0; i < instructions; ++i) text += "/*0000*/ [B------:R-:W-:-:S01] NOP\n";
  return text + "/*0010*/ [B------:R-:W-:-:S01] EXIT\n";
}

/// Two instructions a thousand cycles apart, then a barrier whose other warp the trace does not hold.
std::string long_gap(const std::string& end) {
  return kernel_header(1, 2, "memory 0x1000 128 zero\n") + cta_line(0) + warp_line(0) +
         "reg R2 0\nreg R3 0\n/*0000*/ LDG.E.SYS R4, [R2] @ 0x1000+4\n/*0010*/ IADD3 R4, R4, R4, RZ\n" + end;
}

/// With and without edges that run ahead of SystemC between the pauses.
class paused_run : public testing::TestWithParam<bool> {
 protected:
  static run_options options() {
    run_options options;
    options.is_alone = GetParam();
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(alone, paused_run, testing::Bool());

TEST_P(paused_run, see_what_happened_before_their_cycle_and_nothing_of_it) {
  test_machine machine(preset("turing"), {straight_line(100)}, options());
  issue_counts pauses({1, 2, 50, 101, 200});
  const accounting::run_result result = machine.device().run(&pauses);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  const std::vector<std::pair<cycle_t, std::uint64_t>> expected{{1, 1}, {2, 2}, {50, 50}, {101, 101}};
  EXPECT_EQ(pauses.seen, expected) << "the run ends at cycle 101";
}

TEST_P(paused_run, move_time_where_nothing_happens) {
  test_machine machine(preset("turing", {"global_memory.latency_cycles=1000"}), {long_gap("/*0020*/ EXIT\n")}, options());
  class times final : public run_pauses {
   public:
    explicit times(gpu& device) : device_(device) {}
    std::optional<cycle_t> next() const override { return last < 600 ? std::optional(last + 1) : std::nullopt; }
    void look(cycle_t cycle) override {
      EXPECT_EQ(device_.clock().cycle(), cycle);
      last = cycle;
    }
    cycle_t last = 498;

   private:
    gpu& device_;
  } pauses(machine.device());
  EXPECT_EQ(machine.device().run(&pauses).status, accounting::run_status::finished);
  EXPECT_EQ(pauses.last, 600U);
}

TEST_P(paused_run, a_limit_in_a_gap_ends_the_run_where_it_would_without) {
  run_options limited = options();
  limited.max_cycles = 700;
  test_machine machine(preset("turing", {"global_memory.latency_cycles=1000"}), {long_gap("/*0020*/ EXIT\n")}, limited);
  regular_pauses pauses(100);
  const accounting::run_result result = machine.device().run(&pauses);
  EXPECT_EQ(result.status, accounting::run_status::cycle_limit);
  EXPECT_EQ(pauses.looks, 7U) << "also at the limit itself";
  EXPECT_LT(result.cycles, 100U) << "the cycle in which something last happened";
}

TEST_P(paused_run, a_stuck_run_is_stuck) {
  test_machine machine(preset("turing", {"global_memory.latency_cycles=1000"}), {long_gap("/*0020*/ BAR.SYNC 0x0\n/*0030*/ EXIT\n")},
                       options());
  regular_pauses pauses(7);
  const accounting::run_result result = machine.device().run(&pauses);
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_GT(result.cycles, 1000U);
  EXPECT_LT(result.cycles, 1200U);
  EXPECT_EQ(pauses.looks, result.cycles / 7);
}

}  // namespace
}  // namespace tc::device::test::run_pauses_test
