// SPDX-License-Identifier: Apache-2.0
#include <istream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/shared_matrix.hpp>
#include <tc/kernels/gemm_problem.hpp>
#include <tc/kernels/warpgroup_gemm_trace.hpp>
#include <tc/trace/memory_access.hpp>
#include <tc/trace/trace.hpp>

#include "gemm_machines.hpp"

namespace warpgroup_gemm_test {

using namespace tc;
using namespace tc::kernels;

namespace {

warpgroup_gemm_plan plan_of(const std::string& precision, unsigned m, unsigned n, unsigned k, const warpgroup_tiling& tiling = {},
                            const std::string& machine_name = "hopper") {
  const config::machine machine = test::machine_of(machine_name);
  return make_warpgroup_gemm_plan({m, n, k, find_precision(precision)}, tiling, test::architecture_of(machine), machine);
}

/// The trace of a kernel for matrices of zeros.
trace::trace trace_of(const warpgroup_gemm_plan& plan) {
  const warpgroup_gemm_program program(plan);
  gemm_matrices matrices;
  matrices.a.resize(plan.problem.a_bytes());
  matrices.b.resize(plan.problem.b_bytes());
  warpgroup_gemm_trace text(plan, program, matrices);
  std::istream in(&text);
  return trace::trace::read(in, "gemm");
}

/// All steps of a warp.
std::vector<trace::step> steps_of(const trace::trace& trace, std::size_t cta, unsigned warp) {
  trace::warp_player player = trace.play(trace.ctas().at(cta), warp);
  std::vector<trace::step> steps;
  for (trace::step step; player.next(step);) steps.push_back(step);
  return steps;
}

/// What the steps do of one kind.
template <class Operation>
std::vector<Operation> operations(const std::vector<trace::step>& steps) {
  std::vector<Operation> found;
  for (const trace::step& step : steps)
    if (step.code->asynchronous)
      if (const auto* const operation = std::get_if<Operation>(step.code->asynchronous.get())) found.push_back(*operation);
  return found;
}

/// The plan must be refused, with all of `words` in the message.
template <class Make>
void expect_refusal(Make make, const std::vector<std::string>& words) {
  try {
    make();
    FAIL() << "not refused; expected: " << words.front();
  } catch (const gemm_error& error) {
    for (const std::string& word : words) EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
  }
}

}  // namespace

TEST(warpgroup_gemm_plan, stages_lie_where_the_swizzle_begins_and_barriers_behind_them) {
  const warpgroup_gemm_plan plan = plan_of("mixed", 256, 256, 512);
  EXPECT_EQ(plan.tiling.m, 128u);
  EXPECT_EQ(plan.tiling.n, 128u);
  EXPECT_EQ(plan.tiling.k, 64u);
  EXPECT_EQ(plan.tiling.stages, 4u);
  EXPECT_EQ(plan.consumer_warps(), 8u);
  for (unsigned stage = 0; stage < 4; ++stage) {
    EXPECT_EQ(plan.a_address(stage), 0x400 + stage * 0x8000);
    EXPECT_EQ(plan.b_address(stage) % 1024, 0u);
  }
  EXPECT_EQ(plan.full_barrier(0), 0x400u + 4 * 0x8000);
  EXPECT_EQ(plan.shared_bytes, plan.free_barrier(3) + 8);
}

TEST(warpgroup_gemm_plan, takes_as_many_stages_as_there_is_room_and_work_for) {
  config::machine machine = test::machine_of("hopper");
  machine.sm.shared_memory.bytes = 0x400 + 3 * 0x8000;
  const gemm_problem problem{256, 256, 512, find_precision("mixed")};
  EXPECT_EQ(make_warpgroup_gemm_plan(problem, {}, isa::architecture::sm_90, machine).tiling.stages, 2u) << "and barriers of 16 bytes";
  EXPECT_EQ(plan_of("mixed", 64, 64, 128).tiling.stages, 2u);
  EXPECT_EQ(plan_of("mixed", 64, 64, 24).tiling.stages, 1u);
}

TEST(warpgroup_gemm_plan, instructions_suit_precision_and_size) {
  EXPECT_EQ(plan_of("mixed", 64, 128, 64).instruction_types(), "m64n128k16.f32.f16.f16");
  EXPECT_EQ(plan_of("e4m3.f16", 64, 40, 64).instruction_types(), "m64n40k32.f16.e4m3.e4m3");
  EXPECT_EQ(plan_of("tf32", 64, 24, 64).instruction_types(), "m64n24k8.f32.tf32.tf32");
  EXPECT_EQ(plan_of("u8", 64, 40, 64).instruction_types(), "m64n8k32.s32.u8.u8") << "40 columns are not for integers";
}

TEST(warpgroup_gemm_plan, what_cannot_be_is_refused_with_what_can) {
  expect_refusal([] { plan_of("mixed", 100, 64, 64); }, {"m = 100", "multiple of 64", "64 and 128 would be"});
  expect_refusal([] { plan_of("mixed", 64, 100, 64); }, {"n = 100", "multiple of 8"});
  expect_refusal([] { plan_of("mixed", 64, 64, 20); }, {"k = 20", "multiple of 8", "16 and 24 would be"});
  expect_refusal([] { plan_of("s8", 64, 80, 64, {64, 40}); }, {"n of the tile = 40", "multiple of 16"});
  expect_refusal([] { plan_of("mixed", 64, 64, 64, {64, 64, 32}); }, {"k = 32 of the tile", "64"});
  expect_refusal([] { plan_of("mixed", 512, 512, 64, {512, 64}); }, {"512 x 64", "256"});
  expect_refusal([] { plan_of("mixed", 256, 256, 512, {128, 256, 0, 5}); }, {"5 stages", "233472", "fewer stages"});
  expect_refusal([] { plan_of("mixed", 256, 256, 64, {256, 256}); }, {"144 registers", "128 of them", "17 warps"});
  expect_refusal([] { plan_of("b1.and", 64, 64, 256); }, {"b1.and", "mixed", "e5m2.f16", "u8"});
  expect_refusal([] { plan_of("mixed", 64, 64, 64, {}, "ampere"); }, {"ampere", "sm_80", "sm.warpgroup.operand_tiles"});
}

TEST(warpgroup_gemm_trace, consumers_multiply_what_the_copies_put_into_the_stages) {
  const warpgroup_gemm_plan plan = plan_of("mixed", 128, 256, 320);
  const trace::trace trace = trace_of(plan);
  constexpr unsigned warp = 5;  // of the second warpgroup
  const auto products = operations<isa::wgmma_operation>(steps_of(trace, 1, warp));
  ASSERT_EQ(products.size(), 320u / 16);
  for (unsigned i = 0; i < products.size(); ++i) {
    EXPECT_EQ(products[i].accumulate, i > 0) << "there is no sum in the beginning";
    EXPECT_EQ(products[i].accumulators.size(), 64u);
    const unsigned stage = i / 4 % 4;
    const auto place = [&](std::uint32_t part, unsigned row, unsigned k) {
      return isa::swizzle_address(part + 128 * row + 32 * (i % 4) + 2 * k, isa::swizzle_mode::bytes_128);
    };
    for (unsigned row = 0; row < 128; ++row)
      for (unsigned k = 0; k < 16; ++k) {
        if (row < 64) {
          ASSERT_EQ(isa::shared_a(products[i]).address({row, k}), place(plan.a_address(stage), 64 + row, k));
        }
        ASSERT_EQ(isa::shared_b(products[i]).address({row, k}), place(plan.b_address(stage), row, k));
      }
  }
}

TEST(warpgroup_gemm_trace, the_producer_copies_every_tile_once) {
  const warpgroup_gemm_plan plan = plan_of("s8", 128, 256, 128 * 6 + 16, {64, 128, 0, 3});
  const trace::trace trace = trace_of(plan);
  ASSERT_EQ(trace.ctas().size(), 4u);
  const std::vector<trace::step> steps = steps_of(trace, 3, 4);
  for (const trace::step& step : steps) {
    const bool by_one = step.code->asynchronous != nullptr;
    EXPECT_EQ(step.mask == 1, by_one) << step.code->text;
  }

  const auto copies = operations<isa::bulk_copy_operation>(steps);
  ASSERT_EQ(copies.size(), 2u * 7);
  for (unsigned tile = 0; tile < 7; ++tile) {
    const isa::bulk_copy_operation &a = copies[2 * tile], &b = copies[2 * tile + 1];
    EXPECT_EQ(a.coordinates[0], static_cast<int>(128 * tile));
    EXPECT_EQ(a.coordinates[1], 64);
    EXPECT_EQ(b.coordinates[1], 128);
    EXPECT_EQ(a.shared, plan.a_address(tile % 3));
    EXPECT_EQ(b.shared, plan.b_address(tile % 3));
    EXPECT_EQ(b.barrier, plan.full_barrier(tile % 3));
  }
}

// A wait for the wrong parity would let the producer overwrite what is still multiplied.
TEST(warpgroup_gemm_trace, producer_and_consumers_wait_for_each_other) {
  const warpgroup_gemm_plan plan = plan_of("mixed", 64, 64, 64 * 5, {64, 64, 0, 2});
  const trace::trace trace = trace_of(plan);
  std::map<isa::barrier_action, std::vector<std::pair<std::uint32_t, unsigned>>> producer, consumer;
  for (const auto& operation : operations<isa::barrier_operation>(steps_of(trace, 0, 4))) {
    const bool waits = operation.action == isa::barrier_action::wait, counts = operation.action == isa::barrier_action::initialise;
    producer[operation.action].emplace_back(operation.address, waits ? operation.parity : counts ? operation.count : operation.bytes);
  }
  for (const auto& operation : operations<isa::barrier_operation>(steps_of(trace, 0, 1)))
    consumer[operation.action].emplace_back(operation.address, operation.parity);

  using list = std::vector<std::pair<std::uint32_t, unsigned>>;
  const std::uint32_t full[] = {plan.full_barrier(0), plan.full_barrier(1)}, free[] = {plan.free_barrier(0), plan.free_barrier(1)};
  EXPECT_EQ(producer[isa::barrier_action::initialise], (list{{full[0], 1}, {free[0], 4}, {full[1], 1}, {free[1], 4}}));
  EXPECT_EQ(producer[isa::barrier_action::wait], (list{{free[0], 0}, {free[1], 0}, {free[0], 1}}));
  EXPECT_EQ(producer[isa::barrier_action::arrive_expect],
            (list{{full[0], 16384}, {full[1], 16384}, {full[0], 16384}, {full[1], 16384}, {full[0], 16384}}));
  EXPECT_EQ(consumer[isa::barrier_action::wait], (list{{full[0], 0}, {full[1], 0}, {full[0], 1}, {full[1], 1}, {full[0], 0}}));
  EXPECT_EQ(consumer[isa::barrier_action::arrive], (list{{free[0], 0}, {free[1], 0}, {free[0], 0}, {free[1], 0}}));
}

class warpgroup_gemm_trace_of : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(precisions, warpgroup_gemm_trace_of, testing::Values("mixed", "f16", "tf32", "e4m3.f16", "u8"));

TEST_P(warpgroup_gemm_trace_of, stores_every_byte_of_the_product_once) {
  const warpgroup_gemm_plan plan = plan_of(GetParam(), 128, 48, 32);
  const trace::trace trace = trace_of(plan);
  std::set<std::uint64_t> words;
  std::uint64_t stored = 0;
  for (std::size_t cta = 0; cta < trace.ctas().size(); ++cta) {
    for (unsigned warp = 0; warp < plan.warps(); ++warp) {
      for (const trace::step& step : steps_of(trace, cta, warp)) {
        if (step.code->op != isa::opcode::stg) continue;
        const unsigned bytes = trace::access_of(*step.code).bytes;
        for (unsigned lane = 0; lane < trace::warp_lanes; ++lane)
          for (unsigned byte = 0; byte < bytes; byte += 4) words.insert(step.addresses[lane] + byte);
        stored += trace::warp_lanes * bytes;
      }
    }
  }
  EXPECT_EQ(stored, plan.problem.d_bytes());
  EXPECT_EQ(words.size() * 4, plan.problem.d_bytes());
  EXPECT_EQ(*words.begin(), plan.memory.d);
}

TEST(warpgroup_gemm_trace, a_loop_repeats_its_code) {
  const trace::trace trace = trace_of(plan_of("mixed", 64, 64, 1024));
  for (const unsigned warp : {0u, 4u}) {
    const std::vector<trace::step> steps = steps_of(trace, 0, warp);
    std::set<std::uint32_t> pcs;
    for (const trace::step& step : steps) pcs.insert(step.pc);
    EXPECT_LT(pcs.size() * 3 / 2, steps.size());
  }
}

}  // namespace warpgroup_gemm_test
