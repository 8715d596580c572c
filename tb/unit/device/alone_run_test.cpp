// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <systemc>

#include <gtest/gtest.h>

#include "memory_stand_ins.hpp"
#include "test_machine.hpp"

// When the clock of a run may leave SystemC's time behind.

namespace tc::device::test::alone_run_test {
namespace {

/// A warp that issues an instruction in each cycle from 0 on, and a store in the end.
std::string straight_line(unsigned instructions) {
  std::string text = kernel_header(1, 1, "memory 0x1000 128 zero\n") + cta_line(0) + warp_line(0) + "reg R2 0x1000\nreg R3 0\nreg R4 7\n";
  for (unsigned i = 0; i < instructions; ++i) text += "/*0000*/ [B------:R-:W-:-:S01] NOP\n";
  return text + "/*0010*/ [B------:R-:W-:-:S04] STG.E.SYS [R2], R4 @ 0x1000+4\n/*0020*/ [B------:R-:W-:-:S01] EXIT\n";
}

constexpr unsigned instructions = 1000;

/// Time steps of SystemC.
sc_dt::uint64 steps_of_run(const run_options& options, const std::vector<std::string>& assignments = {}) {
  test_machine machine(preset("turing", assignments), {straight_line(instructions)}, options);
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_GT(result.cycles, instructions);
  EXPECT_EQ(machine.device().clock().cycle_of(sc_core::sc_time_stamp()), machine.device().clock().cycle());
  return sc_core::sc_delta_count();
}

run_options alone() {
  run_options options;
  options.is_alone = true;
  return options;
}

TEST(alone_run, takes_few_steps_of_systemc) { EXPECT_LT(steps_of_run(alone()), 20U); }

TEST(alone_run, is_not_what_a_program_gets_that_does_not_say_so) { EXPECT_GT(steps_of_run({}), instructions); }

TEST(alone_run, is_none_where_links_are_monitored) {
  run_options options = alone();
  options.monitors = true;
  EXPECT_GT(steps_of_run(options), instructions);
}

TEST(alone_run, is_none_where_records_are_kept) {
  run_options options = alone();
  options.record = true;
  EXPECT_GT(steps_of_run(options), instructions);
}

TEST(alone_run, is_none_with_links_bound_by_others) {
  links::link_binder binder;
  run_options options = alone();
  options.binder = &binder;
  EXPECT_GT(steps_of_run(options), instructions);
}

TEST(alone_run, is_none_with_a_unit_of_others) {
  run_options options = alone();
  options.units.global_memory["plain"] = [](const char* name, const auto& site) { return made_plain_memory(name, site, {}); };
  EXPECT_GT(steps_of_run(options, {"units.global_memory=plain"}), instructions);
}

}  // namespace
}  // namespace tc::device::test::alone_run_test
