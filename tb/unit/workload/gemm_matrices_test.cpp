// SPDX-License-Identifier: Apache-2.0
#include "gemm_matrices.hpp"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include <tc/config/presets.hpp>
#include <tc/kernels/gemm_plan.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

#include "gemm_kernel.hpp"
#include "simulation.hpp"

namespace gemm_matrices_test {

using namespace tcsim;
namespace kernels = tc::kernels;

namespace {

const tc::config::machine machine = tc::config::make_preset("hopper");
const kernels::gemm_problem problem{64, 96, 32, kernels::find_precision("mixed")};
constexpr auto arch = tc::isa::architecture::sm_90;

kernels::gemm_tiling tiling() {
  kernels::gemm_tiling tiling;
  tiling.m = tiling.n = tiling.k = 32;
  return tiling;
}

gemm_values sampled() {
  gemm_values values;
  values.tile_m = values.tile_n = 32;
  values.most_products = 1000;
  return values;
}

}  // namespace

TEST(gemm_matrices, samples_are_those_of_the_whole_product_and_lie_in_every_tile) {
  const kernels::gemm_plan plan = kernels::make_gemm_plan(problem, tiling(), arch, machine);
  const product_step step{
      tc::subcore::dot_product_of(plan.step.operation, machine.sm.sub_core.tensor_core.arithmetic, tc::config::operand_source::registers),
      plan.step.operation.k};
  const kernels::gemm_matrices whole = make_gemm_matrices(problem, step, {}), some = make_gemm_matrices(problem, step, sampled());
  EXPECT_EQ(some.a, whole.a);
  EXPECT_EQ(some.b, whole.b);
  ASSERT_TRUE(whole.samples.empty());
  std::array<std::array<unsigned, 3>, 2> of_tiles{};
  std::size_t next = 0;
  for (const tc::trace::byte_range& sample : some.samples) {
    ASSERT_TRUE(std::equal(&some.d[next], &some.d[next] + sample.bytes, &whole.d[sample.offset])) << sample.offset;
    next += sample.bytes;
    for (std::uint64_t element = sample.offset / 4; element < (sample.offset + sample.bytes) / 4; ++element)
      ++of_tiles[element / problem.n / 32][element % problem.n / 32];
  }
  EXPECT_EQ(next, some.d.size());
  for (const auto& row : of_tiles)
    for (const unsigned samples : row) EXPECT_GE(samples, 5U * 5U);
  EXPECT_EQ(some.samples.front().offset, 0u) << "the first corner of D";
  EXPECT_EQ(some.samples.back().offset + some.samples.back().bytes, problem.d_bytes()) << "the last one";
}

TEST(gemm_matrices, samples_alone_are_compared_after_a_run) {
  const register_gemm_kernel kernel(problem, tiling(), arch, machine, sampled());
  const tc::trace::trace trace = kernel.trace();
  tc::device::gpu gpu("gpu", machine, {{kernel.name(), &trace}}, run_options_for(machine, true));
  const tc::accounting::run_result result = run_to_end(gpu);
  const auto& expectation = result.kernels.at(0).expectations.at(0);
  EXPECT_EQ(expectation.bytes, problem.d_bytes());
  EXPECT_EQ(expectation.mismatches, 0u);
  EXPECT_GE(expectation.compared, 6u * 25 * 4);
  EXPECT_LT(expectation.compared, expectation.bytes / 2);
}

}  // namespace gemm_matrices_test
