// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>

#include <tc/accounting/statistic_sum.hpp>
#include <tc/device/gpu.hpp>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace scoreboard_timing_test {

namespace {

using namespace tc;
using fabric::cycle_t;

/// A matrix instruction on a machine, without control codes: what structure and scoreboard give.
struct timing {
  std::string machine, arch, opcode;
  unsigned d_registers;
  cycle_t interval, latency;  ///< of independent and of dependent instructions
  std::vector<std::string> assignments{};
};

std::ostream& operator<<(std::ostream& out, const timing& t) {
  out << t.machine << ' ' << t.opcode;
  for (const auto& assignment : t.assignments) out << ' ' << assignment;
  return out;
}

/// A stream of instructions over a number of accumulators.
std::vector<cycle_t> issue_intervals(const timing& t, unsigned accumulators) {
  const bool integer = t.opcode[0] != 'H';
  std::vector<std::string> stream;
  for (unsigned i = 0; i < 48; ++i) {
    const std::string d = "R" + std::to_string(16 + i % accumulators * t.d_registers);
    stream.push_back(t.opcode + " " + d + ", R4" + (integer ? ".ROW" : "") + ", R8" + (integer ? ".COL" : "") + ", " + d);
  }
  const auto trace = silicon::make_trace(t.arch, {stream});
  silicon::issue_log log;
  device::run_options options;
  options.data = false;
  options.binder = &log;
  EXPECT_EQ(silicon::run(trace, silicon::machine_of(t.machine, t.assignments), options).status, accounting::run_status::finished);
  return silicon::intervals(log.cycles(0, t.opcode.substr(0, 4)));
}

class scoreboard_timing : public testing::TestWithParam<timing> {};

TEST_P(scoreboard_timing, independent_instructions_start_at_the_interval) {
  const auto intervals = issue_intervals(GetParam(), 16);
  ASSERT_EQ(intervals.size(), 47u);
  for (const cycle_t interval : intervals) ASSERT_EQ(interval, GetParam().interval);
}

TEST_P(scoreboard_timing, dependent_instructions_start_at_the_latency) {
  const auto intervals = issue_intervals(GetParam(), 1);
  ASSERT_EQ(intervals.size(), 47u);
  for (const cycle_t interval : intervals) ASSERT_EQ(interval, GetParam().latency);
}

const std::string tensor = "sm.sub_core.tensor_core.";

// Turing: a Quadro RTX 6000 (TU102 microbenchmarks) and compiled code. Ampere: compiled code. Hopper: recorded on an H200.
INSTANTIATE_TEST_SUITE_P(
    generations, scoreboard_timing,
    testing::Values(timing{"turing", "sm_75", "HMMA.1688.F32", 4, 8, 14}, timing{"turing", "sm_75", "HMMA.1688.F16", 2, 8, 14},
                    timing{"turing", "sm_75", "IMMA.8816.S8.S8", 2, 4, 10}, timing{"turing", "sm_75", "IMMA.8832.S4.S4", 2, 4, 10},
                    timing{"turing", "sm_75", "BMMA.88128.XOR.POPC", 2, 4, 10},
                    timing{"turing_geforce", "sm_75", "HMMA.1688.F16", 2, 8, 14}, timing{"ampere", "sm_80", "HMMA.16816.F32", 4, 8, 24},
                    timing{"ampere", "sm_80", "HMMA.1688.F32", 4, 4, 16}, timing{"ampere", "sm_80", "IMMA.16832.S8.S8", 4, 8, 24},
                    timing{"ampere", "sm_80", "IMMA.8816.S8.S8", 2, 4, 14}, timing{"hopper", "sm_90", "HMMA.16816.F32", 4, 6, 24},
                    timing{"hopper", "sm_90", "HMMA.16816.F16", 2, 6, 24}, timing{"hopper", "sm_90", "HMMA.1688.F32", 4, 4, 16},
                    timing{"hopper", "sm_90", "IMMA.16832.S8.S8", 4, 6, 24}, timing{"hopper", "sm_90", "IMMA.16816.S8.S8", 4, 4, 16},
                    timing{"hopper", "sm_90", "IMMA.8816.S8.S8", 2, 4, 14}, timing{"hopper", "sm_90", "BMMA.168256.AND.POPC", 4, 6, 24},
                    timing{"hopper", "sm_90", "HMMA.1688.F32.TF32", 4, 6, 24}, timing{"hopper", "sm_90", "HMMA.1684.F32.TF32", 4, 4, 16}));

/// Two tiles of accumulators in 32 cycles, on an RTX 2080 Ti: 16 cycles for each instruction (Sun et al., arXiv 2206.02874, table 5). The
/// second starts when the sums of the first have left.
TEST(scoreboard_timing, of_f32_sums_on_geforce_is_throttled) {
  const auto intervals = issue_intervals({"turing_geforce", "sm_75", "HMMA.1688.F32", 4, 16, 14}, 16);
  ASSERT_EQ(intervals.size(), 47u);
  for (std::size_t i = 0; i < intervals.size(); ++i) ASSERT_EQ(intervals[i], i % 2 == 0 ? 14u : 18u) << i;
}

// Half the dot-product units double Turing's intervals and add the same cycles to the latency.
INSTANTIATE_TEST_SUITE_P(half_the_units, scoreboard_timing,
                         testing::Values(timing{"turing", "sm_75", "HMMA.1688.F32", 4, 16, 22, {tensor + "dot_product_units=2"}},
                                         timing{"turing", "sm_75", "IMMA.8816.S8.S8", 2, 8, 14, {tensor + "dot_product_units=2"}}));

// One more pipeline stage, whichever, adds one cycle to the latency and none to the interval.
INSTANTIATE_TEST_SUITE_P(one_more_stage, scoreboard_timing,
                         testing::Values(timing{"turing", "sm_75", "HMMA.1688.F32", 4, 8, 15, {tensor + "multiply_stages=2"}},
                                         timing{"turing", "sm_75", "HMMA.1688.F32", 4, 8, 15, {tensor + "adder_stages=4"}},
                                         timing{"turing", "sm_75", "HMMA.1688.F32", 4, 8, 15, {tensor + "result_stages=2"}},
                                         timing{"hopper", "sm_90", "HMMA.16816.F32", 4, 6, 25, {tensor + "result_stages=5"}},
                                         timing{"hopper", "sm_90", "IMMA.8816.S8.S8", 2, 4, 15, {tensor + "result_stages=5"}}));

// Every other parameter of the structure moves cycles too. Where buses and sequencer no longer bound the interval, the read ports do: ten
// registers of HMMA.16816 take five cycles of two banks, and three of the four of this IMMA.8816 lie in one bank.
INSTANTIATE_TEST_SUITE_P(
    other_parameters, scoreboard_timing,
    testing::Values(timing{"turing", "sm_75", "HMMA.1688.F32", 4, 9, 14, {tensor + "a_buffer.depth_tiles=1"}},
                    timing{"turing", "sm_75", "HMMA.1688.F32", 4, 9, 14, {tensor + "b_buffer.depth_tiles=1"}},
                    timing{"turing", "sm_75", "HMMA.1688.F32", 4, 9, 14, {tensor + "accumulator_buffer.depth_tiles=1"}},
                    timing{"hopper", "sm_90", "HMMA.16816.F32", 4, 5, 21, {tensor + "operand_bus.a_registers_per_cycle=2"}},
                    timing{"hopper", "sm_90", "IMMA.8816.S8.S8", 2, 3, 11, {tensor + "octets_per_cycle=4"}},
                    timing{"turing", "sm_75", "HMMA.1688.F32", 4, 8, 15, {tensor + "operand_bus.a_registers_per_cycle=1"}},
                    timing{"turing", "sm_75", "HMMA.1688.F32", 4, 8, 16, {tensor + "operand_bus.c_registers_per_cycle=1"}},
                    timing{"hopper", "sm_90", "HMMA.16816.F32", 4, 8, 28, {tensor + "unit.f16_per_cycle=2"}}));

/// B fills of a stream of Turing matrix instructions.
std::uint64_t b_fills(const std::vector<std::string>& assignments) {
  const auto trace = silicon::make_trace("sm_75", {{"HMMA.1688.F32 R16, R4, R8, R16", "HMMA.1688.F32 R20, R4, R8, R20"}});
  device::run_options options;
  options.data = false;
  device::gpu gpu("gpu", silicon::machine_of("turing", assignments), {{"trace", &trace}}, options);
  EXPECT_EQ(gpu.run().status, accounting::run_status::finished);
  return accounting::statistic_sum("b_buffer", "fills").sum();
}

TEST(b_buffer, that_is_shared_is_filled_once) { EXPECT_EQ(b_fills({}), 2u); }
TEST(b_buffer, of_each_tensor_core_is_filled_twice_as_often) { EXPECT_EQ(b_fills({tensor + "b_buffer.shared=false"}), 4u); }

/// Issue cycles of a kernel in traces/, by the beginning of the instruction text.
std::vector<cycle_t> recorded_intervals(const std::string& name, const std::string& opcode) {
  const auto trace = trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "traces" / name / "kernel.trace");
  silicon::issue_log log;
  auto options = silicon::preset_options();
  options.binder = &log;
  const auto result = silicon::run(trace, silicon::machine_of("turing"), options);
  EXPECT_EQ(result.mismatches(), 0u);
  return silicon::intervals(log.cycles(0, opcode));
}

// The compiled INT8 kernel: four independent matrix instructions.
TEST(compiled_turing_kernel, issues_its_integer_instructions_four_cycles_apart) {
  EXPECT_EQ(recorded_intervals("sm_75.micro_s8_s32_m16n16k16", "IMMA"), (std::vector<cycle_t>{4, 4, 4}));
}

// The compiled FP16 kernel: the third instruction waits on the barrier of the first.
TEST(compiled_turing_kernel, issues_its_half_instructions_eight_cycles_apart_until_the_dependent_pair) {
  const auto intervals = recorded_intervals("sm_75.micro_f16_f16_m16n16k16", "HMMA");
  ASSERT_EQ(intervals.size(), 3u);
  EXPECT_EQ(intervals[0], 8u);
  EXPECT_GE(intervals[1], 8u);
  EXPECT_EQ(intervals[2], 8u);
}

/// Without control codes a compiled kernel still gives the bits of the GPU.
class stripped_kernel : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(stripped_kernel, gives_the_bits_of_the_gpu) {
  const auto folder = std::filesystem::path(TC_SOURCE_DIR) / "traces" / GetParam().first;
  std::istringstream text(silicon::without_control_codes(folder / "kernel.trace"));
  trace::open_options open;
  open.image_folder = folder;
  const auto trace = trace::trace::read(text, GetParam().first, open);
  const auto result = silicon::run(trace, silicon::machine_of(GetParam().second), silicon::preset_options());
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.mismatches(), 0u);
  EXPECT_GE(result.kernels.at(0).expectations.size(), 1u);
}

INSTANTIATE_TEST_SUITE_P(project, stripped_kernel,
                         testing::Values(std::pair{"sm_75.tiled_f16_f32", "turing"}, std::pair{"sm_75.micro_s8_s32_m16n16k16", "turing"},
                                         std::pair{"sm_80.gemm_f16_f32_m16n16k16", "ampere"},
                                         std::pair{"sm_90.gemm_f16_f32_m16n16k16.rough", "hopper"}));

}  // namespace

}  // namespace scoreboard_timing_test
