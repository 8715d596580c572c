// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>
#include <tc/device/gpu.hpp>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace register_conflict_test {

namespace {

using namespace tc;

/// A stream of one instruction on one warp: how far apart its copies issue, and what the warp waited for.
struct stream_run {
  double interval = 0;              ///< cycles, steady
  std::uint64_t bank_conflict = 0;  ///< cycles
};

constexpr unsigned instructions = 64, warm_up = 8;

stream_run run_stream(const std::string& machine, const std::string& instruction, const std::vector<std::string>& assignments = {}) {
  const std::vector<std::string> stream(instructions, "[B------:R-:W-:-:S01] " + instruction);
  const config::machine parameters = silicon::machine_of(machine, assignments);
  const auto trace = silicon::make_trace(parameters.architectures.front(), {stream});
  silicon::issue_log log;
  device::run_options options = silicon::preset_options();
  options.data = false;
  options.binder = &log;
  // By control codes alone: the copies write the same register, which is not what is asked here.
  config::machine by_control_codes = parameters;
  by_control_codes.sm.sub_core.issue.hazards = config::hazard_policy::silicon;
  const auto result = silicon::run(trace, by_control_codes, options);
  EXPECT_EQ(result.status, accounting::run_status::finished);
  const auto cycles = log.cycles(0, "");
  stream_run run;
  run.interval = static_cast<double>(cycles[instructions - 1] - cycles[warm_up]) / (instructions - 1 - warm_up);
  run.bank_conflict = result.stalls[links::stall_cause::bank_conflict];
  return run;
}

struct conflict_case {
  const char* machine;
  const char* instruction;
  double interval;  ///< cycles from one to the next
  bool conflict;
  std::vector<std::string> assignments{};
};

std::ostream& operator<<(std::ostream& out, const conflict_case& c) {
  out << c.machine << ": " << c.instruction;
  for (const std::string& assignment : c.assignments) out << ' ' << assignment;
  return out;
}

class register_conflict : public testing::TestWithParam<conflict_case> {};

TEST_P(register_conflict, costs_the_cycles_that_the_bank_needs) {
  const stream_run run = run_stream(GetParam().machine, GetParam().instruction, GetParam().assignments);
  EXPECT_NEAR(run.interval, GetParam().interval, 0.02);
  if (GetParam().conflict) {
    EXPECT_GE(run.bank_conflict, instructions - warm_up);
  } else {
    EXPECT_EQ(run.bank_conflict, 0U);
  }
}

// Jia et al., arXiv 1804.06826, figure 3.8: FFMA R6, R97, R99, RX conflicts if X is odd; not if one of the sources is in the reuse cache.
// The 16 lanes of the pipe take an instruction every two cycles, in which a bank delivers two registers.
INSTANTIATE_TEST_SUITE_P(
    volta, register_conflict,
    testing::Values(conflict_case{"volta", "FFMA R6, R97, R99, R0", 2, false}, conflict_case{"volta", "FFMA R6, R97, R99, R1", 3, true},
                    conflict_case{"volta", "FFMA R6, R97, R99, R98", 2, false}, conflict_case{"volta", "FFMA R6, R97, R99, R101", 3, true},
                    conflict_case{"volta", "FFMA R6, R97.reuse, R99, R1", 2, false},
                    conflict_case{"volta", "FFMA R6, R97, R99.reuse, R1", 2, false},
                    conflict_case{"volta", "FFMA R6, R97, R99, R97", 2, false}, conflict_case{"volta", "FFMA R16, R12, R80, R16", 3, true},
                    conflict_case{"volta", "FFMA R17, R12, R80, R17", 2, false}));

// Huerta et al., arXiv 2503.20481, section 5.3: where an instruction can issue every cycle, FMUL with both sources in one bank has one
// bubble, and FFMA with three has two.
INSTANTIATE_TEST_SUITE_P(full_width, register_conflict,
                         testing::Values(conflict_case{"hopper", "FMUL R1, R2, R4", 2, true},
                                         conflict_case{"hopper", "FMUL R1, R2, R5", 1, false},
                                         conflict_case{"hopper", "FFMA R1, R2, R4, R6", 3, true},
                                         conflict_case{"hopper", "FFMA R1, R2, R4, R5", 2, true},
                                         conflict_case{"ampere", "FMUL R1, R2, R4", 2, true, {"sm.sub_core.pipes.fp32.lanes=32"}},
                                         conflict_case{"ampere", "FFMA R1, R2, R4, R6", 3, true, {"sm.sub_core.pipes.fp32.lanes=32"}}));

// Four banks of one register a slot, as before Volta (Jia et al., section 3.5): what counts is the number modulo 4, and two are enough.
INSTANTIATE_TEST_SUITE_P(four_banks, register_conflict,
                         testing::Values(conflict_case{"four_banks", "FFMA R6, R97, R99, R0", 1, false},
                                         conflict_case{"four_banks", "FFMA R6, R97, R99, R1", 2, true},
                                         conflict_case{"four_banks", "FFMA R6, R97, R99, R103", 2, true},
                                         conflict_case{"four_banks", "FFMA R6, R97, R101, R1", 3, true},
                                         conflict_case{"four_banks", "FFMA R6, R97.reuse, R101, R0", 1, false},
                                         conflict_case{"four_banks", "FFMA R16, R12, R80, R16", 3, true},
                                         conflict_case{"four_banks", "FFMA R17, R12, R80, R17", 2, true}));

const std::string file = "sm.sub_core.register_file.", reuse = "sm.sub_core.reuse_cache.", fetch = "sm.sub_core.operand_fetch.";

// What an architect may change, on FFMA with three sources in bank 0 of two.
INSTANTIATE_TEST_SUITE_P(swept, register_conflict,
                         testing::Values(conflict_case{"hopper", "FFMA R1, R2, R4, R6", 3, true, {file + "banks=1"}},
                                         conflict_case{"hopper", "FFMA R1, R3, R4, R6", 3, true, {file + "banks=1"}},
                                         conflict_case{"hopper", "FFMA R1, R2, R4, R6", 2, true, {file + "banks=4"}},
                                         conflict_case{"hopper", "FFMA R1, R2, R4, R6", 1, false, {file + "banks=8"}},
                                         conflict_case{
                                             "hopper", "FFMA R1, R2, R4, R6", 2, true, {file + "read_ports=2"}},  // 1.5 but for the latches
                                         conflict_case{"hopper", "FFMA R1, R2, R4, R6", 1, false, {file + "read_ports=3"}},
                                         conflict_case{"hopper", "FFMA R1, R2, R4, R6.reuse", 2, true},
                                         conflict_case{"hopper", "FFMA R1, R2, R4, R6.reuse", 3, true, {reuse + "slots=2"}},
                                         conflict_case{"hopper", "FFMA R1, R2.reuse, R4, R6", 3, true, {reuse + "enabled=false"}}));

/// The four worked examples of Huerta et al., arXiv 2503.20481, section 5.3.1, through the whole machine: how many operands came from the
/// reuse cache.
struct reuse_example {
  std::vector<std::string> stream;
  std::uint64_t hits;
};

class reuse_cache : public testing::TestWithParam<reuse_example> {};

TEST_P(reuse_cache, serves_what_the_examples_say) {
  std::vector<std::string> stream;
  for (const std::string& instruction : GetParam().stream) stream.push_back("[B------:R-:W-:-:S01] " + instruction);
  const auto trace = silicon::make_trace("sm_90", {stream});
  device::gpu gpu("gpu", silicon::machine_of("hopper"), {{"trace", &trace}}, silicon::preset_options());
  EXPECT_EQ(gpu.run().status, accounting::run_status::finished);
  EXPECT_EQ(accounting::statistic_sum("operand_fetch", "reuse_hits").sum(), GetParam().hits);
}

INSTANTIATE_TEST_SUITE_P(
    examples, reuse_cache,
    testing::Values(reuse_example{{"IADD3 R1, R2.reuse, R3, R4", "FFMA R5, R2, R7, R8", "IADD3 R10, R2, R12, R13"}, 1},
                    reuse_example{{"IADD3 R1, R2.reuse, R3, R4", "FFMA R5, R2.reuse, R7, R8", "IADD3 R10, R2, R12, R13"}, 2},
                    reuse_example{{"IADD3 R1, R2.reuse, R3, R4", "FFMA R5, R7, R2, R8", "IADD3 R10, R2, R12, R13"}, 1},
                    reuse_example{{"IADD3 R1, R2.reuse, R3, R4", "FFMA R5, R4, R7, R8", "IADD3 R10, R2, R12, R13"}, 0}));

// A collector gathers without a window: the bank bounds the stream, and two units hide the gathering.
TEST(register_conflict, bounds_a_stream_through_collectors_too) {
  EXPECT_NEAR(run_stream("hopper", "FFMA R1, R2, R4, R6", {fetch + "collector_units=4"}).interval, 3, 0.1);
}

}  // namespace

}  // namespace register_conflict_test
