// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/kernels/gemm_control.hpp>

#include "gemm_machines.hpp"

namespace gemm_control_test {

// Control codes of small pieces of code: what a compiler's would have to hold.

using namespace tc;
using namespace tc::kernels;

namespace {

constexpr auto none = isa::control_code::no_barrier;

class gemm_control : public testing::Test {
 protected:
  void start(const std::string& machine_name, const std::string& precision) {
    machine_ = test::machine_of(machine_name);
    arch_ = test::architecture_of(machine_);
    step_ = choose_matrix_step(find_precision(precision), arch_, 1024, machine_.sm.sub_core.tensor_core);
    code_ = {};
    code_.blocks.emplace_back();
    code_.path = {{0}};
  }
  void add(const char* text, std::uint8_t barrier = none) { code_writer(arch_, code_.blocks.back()).add(text, barrier); }
  void plan() {
    const code_timing timing(machine_.sm.sub_core, *step_);
    control_planner(code_, timing).plan();
  }
  const isa::control_code& control(std::size_t index) const { return *code_.blocks[0].instructions.at(index).code.control; }
  std::string text(std::size_t index) const { return code_.blocks[0].instructions.at(index).code.text; }

  config::machine machine_;
  isa::architecture arch_ = isa::architecture::sm_75;
  std::optional<matrix_step> step_;
  kernel_code code_;
};

}  // namespace

TEST_F(gemm_control, a_stall_covers_a_known_latency) {
  start("hopper", "mixed");
  add("IMAD R2, R3, 0x4, RZ");
  add("IADD3 R9, R9, 0x1, RZ");
  add("IADD3 R4, R2, 0x1, RZ");
  plan();
  const auto& sub_core = machine_.sm.sub_core;
  const unsigned latency = sub_core.pipes.fp32.latency_cycles + sub_core.bypass.other_pipe_cycles;  // from multiply-add to addition
  EXPECT_EQ(control(0).stall_cycles, 1);
  EXPECT_EQ(control(1).stall_cycles, latency - 1);
}

TEST_F(gemm_control, a_nop_helps_where_fifteen_cycles_are_not_enough) {
  start("hopper", "mixed");  // HMMA.16816: dependent ones 24 cycles apart, as recorded on an H200
  add("HMMA.16816.F32 R16, R4, R8, R16");
  add("HMMA.16816.F32 R16, R4, R8, R16");
  plan();
  ASSERT_EQ(text(1), "NOP");
  EXPECT_EQ(control(0).stall_cycles + control(1).stall_cycles, 24);
}

TEST_F(gemm_control, independent_matrix_instructions_keep_their_interval) {
  start("hopper", "mixed");
  add("HMMA.16816.F32 R16, R4, R8, R16");
  add("HMMA.16816.F32 R20, R4, R8, R20");
  plan();
  EXPECT_EQ(control(0).stall_cycles, 6);
}

TEST_F(gemm_control, on_turing_a_barrier_announces_a_product) {
  start("turing", "mixed");
  add("HMMA.1688.F32 R16, R4, R8, R16", 4);
  add("HMMA.1688.F32 R16, R4, R8, R16", 5);
  plan();
  EXPECT_EQ(control(0).write_barrier, 4);
  EXPECT_EQ(control(1).wait_mask, 1 << 4);
  EXPECT_EQ(control(1).write_barrier, none) << "nobody waits for it";
}

TEST_F(gemm_control, a_load_is_waited_for_where_its_result_is_used) {
  start("ampere", "mixed");
  add("LDG.E R4, [R2.64]", 0);
  add("LDG.E R5, [R2.64+0x4]", 1);
  add("IADD3 R6, R5, 0x1, RZ");
  add("IADD3 R6, R4, 0x1, RZ");
  plan();
  EXPECT_EQ(control(2).wait_mask, 1 << 1);
  EXPECT_EQ(control(3).wait_mask, 1 << 0);
  EXPECT_GE(control(1).stall_cycles, 2) << "a barrier counts a cycle after its setter issued";
}

TEST_F(gemm_control, a_register_is_not_overwritten_before_it_was_read) {
  start("ampere", "mixed");
  add("STS [R8], R4", 3);
  add("IADD3 R4, R5, 0x1, RZ");
  plan();
  EXPECT_EQ(control(0).read_barrier, 3);
  EXPECT_EQ(control(1).wait_mask, 1 << 3);
}

TEST_F(gemm_control, whoever_has_given_its_result_has_read_its_operands) {
  start("ampere", "mixed");
  add("LDG.E R4, [R2.64]", 0);
  add("IADD3 R5, R4, 0x1, RZ");
  add("IADD3 R2, P0, R2, 0x40, RZ");
  plan();
  EXPECT_EQ(control(0).read_barrier, none);
  EXPECT_EQ(control(2).wait_mask, 0);
}

TEST_F(gemm_control, what_a_loop_carries_is_waited_for_too) {
  start("ampere", "mixed");
  add("IADD3 R6, R4, 0x1, RZ");
  add("LDG.E R4, [R2.64]", 0);
  add("@P1 BRA `(.L_x_0)");
  code_.path = {{0}, {0}};
  plan();
  EXPECT_EQ(control(0).wait_mask, 1 << 0);
  EXPECT_EQ(control(1).write_barrier, 0);
}

}  // namespace gemm_control_test
