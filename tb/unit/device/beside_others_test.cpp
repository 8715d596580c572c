// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <sstream>
#include <string>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>

#include "memory_stand_ins.hpp"
#include "test_machine.hpp"

// A run in a simulation in which other modules never rest.

namespace tc::device::test::beside_others_test {
namespace {

constexpr unsigned instructions = 1000;

/// A warp that issues an instruction in each cycle from 0 on, and a store in the end.
std::string straight_line() {
  std::string text = kernel_header(1, 1, "memory 0x1000 128 zero\n") + cta_line(0) + warp_line(0) + "reg R2 0x1000\nreg R3 0\nreg R4 7\n";
  for (unsigned i = 0; i < instructions; ++i) text += "/*0000*/ [B------:R-:W-:-:S01] NOP\n";
  return text + "/*0010*/ [B------:R-:W-:-:S04] STG.E.SYS [R2], R4 @ 0x1000+4\n/*0020*/ [B------:R-:W-:-:S01] EXIT\n";
}

/// What a DRAM does for as long as it is there.
class refresh final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(refresh);
  explicit refresh(const sc_core::sc_module_name& name) : sc_module(name) { SC_THREAD(run); }

  unsigned refreshes = 0;

 private:
  void run() {
    for (;; ++refreshes) wait(sc_core::sc_time(60, sc_core::SC_NS));
  }
};

/// The same as a unit on the machine's clock.
class clocked_refresh final : public fabric::clocked {
 public:
  explicit clocked_refresh(fabric::clock_domain& clock) : clock_(clock), id_(clock.add(*this)) { clock_.wake(id_, 1); }

  unsigned refreshes = 0;

 private:
  void evaluate(fabric::cycle_t cycle) override {
    ++refreshes;
    clock_.wake(id_, cycle + 60);
  }

  fabric::clock_domain& clock_;
  const std::size_t id_;
};

/// The instructions and the store's latency.
void expect_finished(const accounting::run_result& result) {
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_GE(result.cycles, instructions);
  EXPECT_LT(result.cycles, instructions + 400);
  EXPECT_LT(sc_core::sc_time_stamp(), sc_core::sc_time(instructions + 1000, sc_core::SC_NS)) << "the run goes on behind its end";
}

run_options until(std::optional<cycle_t> limit) {
  run_options options;
  options.max_cycles = limit;
  return options;
}

/// Without a limit, and with one that the run does not reach.
class run_beside : public testing::TestWithParam<std::optional<cycle_t>> {};

TEST_P(run_beside, a_clock_ends) {
  sc_core::sc_clock clock("clock", 3, sc_core::SC_NS);
  test_machine machine(preset("turing"), {straight_line()}, until(GetParam()));
  expect_finished(machine.run());
}

TEST_P(run_beside, a_memory_that_is_refreshed_ends) {
  refresh dram("dram");
  stand_ins::random_memory::params parameters;
  parameters.ports = 5;  // four sub-cores and the probe
  random_global_memory memory(parameters);
  run_options options = memory.options();
  options.max_cycles = GetParam();
  test_machine machine(preset("turing"), {straight_line()}, options);
  expect_finished(machine.run());
  EXPECT_GT(dram.refreshes, instructions / 60 - 1);
}

TEST_P(run_beside, a_unit_on_its_clock_that_never_rests_ends) {
  test_machine machine(preset("turing"), {straight_line()}, until(GetParam()));
  clocked_refresh dram(machine.device().clock());
  expect_finished(machine.run());
  EXPECT_GT(dram.refreshes, instructions / 60 - 1);
}

TEST_P(run_beside, another_run_lets_both_end) {
  sc_core::sc_clock clock("clock", 3, sc_core::SC_NS);
  const trace::trace longer = [] {
    std::istringstream in(straight_line());
    return trace::trace::read(in, "longer");
  }();
  run_options slow;
  slow.period = sc_core::sc_time(5, sc_core::SC_NS);
  gpu other("other", preset("turing"), {{"longer", &longer}}, slow);
  test_machine machine(preset("turing"), {straight_line()}, until(GetParam()));
  EXPECT_EQ(machine.run().status, accounting::run_status::finished);
  EXPECT_EQ(other.finished(), !GetParam()) << "up to the limit of the first one";
}

INSTANTIATE_TEST_SUITE_P(limits, run_beside, testing::Values(std::optional<cycle_t>(), std::optional<cycle_t>(4000)),
                         [](const auto& test) { return test.param ? "with_a_limit" : "without_a_limit"; });

/// Looks every hundred cycles.
class hundreds final : public run_pauses {
 public:
  std::optional<cycle_t> next() const override { return 100 * (looks + 1); }
  void look(cycle_t) override { ++looks; }

  cycle_t looks = 0;
};

TEST(run_beside_others, pauses_until_its_end) {
  sc_core::sc_clock clock("clock", 3, sc_core::SC_NS);
  test_machine machine(preset("turing"), {straight_line()});
  hundreds pauses;
  expect_finished(machine.device().run(&pauses));
  EXPECT_EQ(pauses.looks, machine.device().result().cycles / 100);
}

TEST(run_beside_others, that_is_stuck_says_so) {
  sc_core::sc_clock clock("clock", 3, sc_core::SC_NS);
  const std::string waits = "/*0000*/ BAR.SYNC 0x0\n/*0020*/ EXIT\n";
  test_machine machine(preset("turing"), {kernel_header(1, 2) + cta_line(0) + warp_line(0) + waits});
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::stuck);
  EXPECT_FALSE(result.waiting.empty());
}

}  // namespace
}  // namespace tc::device::test::beside_others_test
