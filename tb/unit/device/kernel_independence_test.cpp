// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <istream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <tc/kernels/gemm_trace.hpp>

#include "test_machine.hpp"

// A kernel takes the same cycles whatever ran before it, but for what the L2 cache and the translation buffer hold.

namespace tc::device::test::kernel_independence_test {
namespace {

/// A machine on which one SM runs all CTAs, so that any other order of its warps shows.
struct crowded_machine {
  std::string preset;
  std::vector<std::string> assignments{};
};

void PrintTo(const crowded_machine& of, std::ostream* out) { *out << fmt::format("{} {}", of.preset, fmt::join(of.assignments, " ")); }

config::machine machine_of(const crowded_machine& crowded) {
  std::vector<std::string> assignments = crowded.assignments;
  assignments.emplace_back("sms=1");
  return preset(crowded.preset, assignments);
}

/// A square product whose matrices lie apart from those of others.
trace::trace gemm(const config::machine& machine, unsigned size, unsigned place) {
  constexpr std::uint64_t apart = std::uint64_t{1} << 26;  // further than a page
  kernels::gemm_tiling tiling;
  tiling.memory_base += place * apart;
  const kernels::gemm_plan plan = kernels::make_gemm_plan({size, size, size, kernels::find_precision("mixed")}, tiling,
                                                          *isa::find_architecture(machine.architectures.front()), machine);
  const kernels::gemm_program program(plan, machine);
  kernels::gemm_matrices matrices;
  matrices.a.resize(plan.problem.a_bytes());
  matrices.b.resize(plan.problem.b_bytes());
  kernels::gemm_trace text(plan, program, matrices);
  std::istream in(&text);
  return trace::trace::read(in, "gemm");
}

trace::trace empty_kernel(const config::machine& machine) {
  std::string text = kernel_header(1, 4, "registers 64\n", machine.architectures.front()) + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) text += warp_line(warp) + "/*0000*/ EXIT\n";
  std::istringstream in(text);
  return trace::trace::read(in, "empty");
}

class kernel_independence : public testing::TestWithParam<crowded_machine> {};

TEST_P(kernel_independence, takes_the_same_time_behind_any_other) {
  const config::machine machine = machine_of(GetParam());
  const std::vector<trace::trace> traces = [&] {
    std::vector<trace::trace> all;
    all.push_back(gemm(machine, 96, 0));
    all.push_back(empty_kernel(machine));
    all.push_back(gemm(machine, 96, 1));
    all.push_back(gemm(machine, 64, 2));
    all.push_back(gemm(machine, 96, 3));
    return all;
  }();
  std::vector<kernel_source> sources;
  for (const trace::trace& each : traces) sources.push_back({"kernel", &each});
  run_options options;
  options.data = false;
  options.timing_of_preset = true;
  gpu device("gpu", machine, sources, options);
  const accounting::run_result result = device.run();
  ASSERT_EQ(result.kernels.size(), 5U);
  EXPECT_EQ(result.kernels[2].cycles(), result.kernels[0].cycles()) << "behind an empty kernel";
  EXPECT_EQ(result.kernels[4].cycles(), result.kernels[0].cycles()) << "behind another product";
}

const std::string fixed_latency = "global_memory.hierarchy.enabled=false", own_fetch = "sm.sub_core.fetch.ideal=false",
                  in_turn = "sm.sub_core.issue.policy=loose_round_robin";

INSTANTIATE_TEST_SUITE_P(machines, kernel_independence,
                         testing::Values(crowded_machine{"volta"}, crowded_machine{"volta", {fixed_latency}}, crowded_machine{"turing"},
                                         crowded_machine{"turing", {own_fetch}}, crowded_machine{"ampere"},
                                         crowded_machine{"ampere", {in_turn}}, crowded_machine{"ada", {fixed_latency, own_fetch}},
                                         crowded_machine{"hopper"}, crowded_machine{"hopper", {in_turn, own_fetch}},
                                         crowded_machine{"collectors"}));

}  // namespace
}  // namespace tc::device::test::kernel_independence_test
