// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <engine/tensor_mma_cases.hpp>
#include <istream>

#include <gtest/gtest.h>

#include <tc/kernels/warpgroup_gemm_trace.hpp>

#include "record_keeper.hpp"
#include "tensor_kernel.hpp"

// Records of the asynchronous units of an SM, and of tensor memory.

namespace tc::device::test::recording_engines_test {
namespace {

/// D = A x B of zeros by warpgroups, whose operands come by tensor copies.
trace::trace warpgroup_product(const config::machine& machine) {
  const kernels::warpgroup_gemm_plan plan =
      kernels::make_warpgroup_gemm_plan({128, 128, 128, kernels::find_precision("mixed")}, {}, isa::architecture::sm_90, machine);
  const kernels::warpgroup_gemm_program program(plan);
  kernels::gemm_matrices matrices;
  matrices.a.resize(plan.problem.a_bytes());
  matrices.b.resize(plan.problem.b_bytes());
  kernels::warpgroup_gemm_trace text(plan, program, matrices);
  std::istream in(&text);
  return trace::trace::read(in, "product");
}

TEST(recording_of_warpgroups, agrees_with_the_counters) {
  const config::machine machine = preset("hopper");
  const trace::trace kernel = warpgroup_product(machine);
  run_options options = recording_options();
  options.monitors = true;
  gpu device("gpu", machine, {{"kernel", &kernel}}, options);
  record_keeper kept(device);
  const accounting::run_result result = device.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  expect_records_agree(kept, result, machine);
  EXPECT_FALSE(kept.of("bulk_copy").empty());
  EXPECT_FALSE(kept.of("barrier").empty());
  EXPECT_FALSE(kept.of("accumulator").empty());
  for (const char* unit : {"gpu.sm_0.bulk_copy.shared", "gpu.sm_0.bulk_copy.global", "gpu.sm_0.warpgroup_feed.shared_memory"}) {
    ASSERT_FALSE(kept.of("transaction", unit).empty());
    for (const kept_record* transaction : kept.of("transaction", unit)) EXPECT_NE(transaction->parent, 0U) << unit;
  }
  for (const kept_record* copy : kept.of("bulk_copy")) {
    EXPECT_GT(copy->cycles(), 0U);
    ASSERT_NE(copy->parent, 0U);
    EXPECT_EQ(kept.records.at(copy->parent).stream->type().name, "instruction");
  }
}

/// What the unit only notes is done in the cycle after its dispatch.
TEST(recording_of_warpgroups, ends_fences_and_commits_in_the_cycle_after_their_dispatch) {
  const config::machine machine = preset("hopper");
  const trace::trace kernel = warpgroup_product(machine);
  gpu device("gpu", machine, {{"kernel", &kernel}}, recording_options());
  record_keeper kept(device);
  ASSERT_EQ(device.run().status, accounting::run_status::finished);
  std::size_t fences = 0, commits = 0;
  for (const kept_record* instruction : kept.of("instruction")) {
    const std::string& text = instruction->values.at("text");
    const bool is_fence = text.find("wgmma.fence") == 0, is_commit = text.find("wgmma.commit_group") == 0;
    if (!is_fence && !is_commit) continue;
    ++(is_fence ? fences : commits);
    EXPECT_EQ(instruction->cycles(), machine.sm.sub_core.operand_fetch.issue_to_dispatch_cycles + 1) << text;
  }
  EXPECT_GT(fences, 0U);
  EXPECT_GT(commits, 0U);
}

TEST(recording_of_tensor_memory, shows_what_is_written_and_shifted) {
  constexpr unsigned first = 8, columns = 24, shifted = 16;
  tensor::tensor_kernel kernel;
  kernel.fill({first, columns}, [](unsigned lane, unsigned column) { return tensor::tag({lane, column}); });
  kernel.issue(tensor::shift(shifted) + tensor::shift(shifted));
  kernel.wait();
  kernel.send({first, columns});
  const config::machine machine = preset("blackwell");
  test_machine bench(machine, {kernel.text()}, recording_options());
  record_keeper kept(bench.device());
  const accounting::run_result result = bench.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  expect_records_agree(kept, result, machine);

  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
    std::vector<unsigned> lanes_written(isa::tensor_columns);
    std::vector<const kept_record*> shifts;
    for (const kept_record* access : kept.of("access", "gpu.sm_0.tensor_memory.chunk_" + std::to_string(chunk))) {
      EXPECT_EQ(access->number("first_lane") / isa::chunk_lanes, chunk);
      if (access->values.at("kind") == "shift") shifts.push_back(access);
      for (std::uint64_t c = 0; access->values.at("kind") == "write" && c < access->number("columns"); ++c)
        lanes_written.at(access->number("first_column") + c) += static_cast<unsigned>(access->number("lanes"));
    }
    for (unsigned column = 0; column < isa::tensor_columns; ++column)
      EXPECT_EQ(lanes_written[column], column >= first && column < first + columns ? isa::chunk_lanes : 0) << column;
    ASSERT_EQ(shifts.size(), 2U);
    EXPECT_EQ(shifts[0]->number("first_column"), shifted);
    EXPECT_EQ(shifts[0]->number("lanes"), isa::chunk_lanes);
    EXPECT_GE(shifts[1]->begin, shifts[0]->end);
    EXPECT_NE(kept.records.at(shifts[0]->parent).values.at("opcode").find("tcgen05.shift"), std::string::npos);
  }
}

/// A product whose A lies in tensor memory, and is shifted when it has been taken.
TEST(recording_of_tensor_memory, shows_what_a_product_reads_writes_and_shifts) {
  constexpr unsigned columns_of_d = 8;
  const isa::mma_form form{isa::mma_kind::f16, isa::cta_group::one, false};
  isa::tensor_mma_operation operation =
      engine::test::make_operation(form, engine::test::descriptor_of(engine::test::typed_kind{}, 128, columns_of_d), true);
  operation.enable_input_d = false;
  operation.shift_a = true;
  const engine::test::tensor_mma_bench operands(operation);
  const config::machine machine = preset("blackwell");
  test_machine bench(machine, {tensor::kernel_of(operation, operands).text()}, recording_options());
  record_keeper kept(bench.device());
  const accounting::run_result result = bench.run();
  ASSERT_EQ(result.status, accounting::run_status::finished);
  expect_records_agree(kept, result, machine);

  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
    const auto cells = [&](const std::string& link, const std::string& kind) {
      return kept.sum("access", "gpu.sm_0.tensor_memory.chunk_" + std::to_string(chunk), [&](const kept_record& access) {
        if (access.values.at("kind") != kind || access.values.at("link").find(link) == std::string::npos) return std::uint64_t{0};
        EXPECT_NE(kept.records.at(access.parent).values.at("opcode").find("tcgen05.mma"), std::string::npos);
        return access.number("lanes") * access.number("columns");
      });
    };
    EXPECT_EQ(cells("accumulators", "write"), isa::chunk_lanes * columns_of_d);
    EXPECT_EQ(cells("accumulators", "read"), 0U);
    EXPECT_EQ(cells("operands", "read"), isa::chunk_lanes * 8) << "32 bytes of k";
    EXPECT_EQ(cells("shift", "shift"), isa::chunk_lanes * 8);
  }
}

}  // namespace
}  // namespace tc::device::test::recording_engines_test
