// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <istream>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include <tc/isa/special_register.hpp>
#include <tc/kernels/gemm_trace.hpp>
#include <tc/trace/trace.hpp>

#include "gemm_machines.hpp"

namespace gemm_trace_test {

using namespace tc;
using namespace tc::kernels;

namespace {

/// A kernel for square matrices of zeros, as the trace reader sees it.
struct kernel {
  kernel(const std::string& machine_name, const std::string& precision, unsigned size, const gemm_tiling& tiling)
      : machine(test::machine_of(machine_name)),
        plan(make_gemm_plan({size, size, size, find_precision(precision)}, tiling, test::architecture_of(machine), machine)),
        program(plan, machine) {}

  trace::trace read() const {
    gemm_matrices matrices;
    matrices.a.resize(plan.problem.a_bytes());
    matrices.b.resize(plan.problem.b_bytes());
    gemm_trace text(plan, program, matrices);
    std::istream in(&text);
    return trace::trace::read(in, "gemm");
  }

  config::machine machine;
  gemm_plan plan;
  gemm_program program;
};

/// Calls `check` for every step of every warp.
template <class Check>
void for_each_step(const trace::trace& trace, Check check) {
  for (const trace::cta_entry& cta : trace.ctas()) {
    for (std::uint32_t warp = 0; warp < cta.warp_count; ++warp) {
      trace::warp_player player = trace.play(cta, warp);
      for (trace::step step; player.next(step);) check(step);
    }
  }
}

/// Executes the integer instructions with which a kernel computes addresses, in the lanes of one warp.
class address_registers {
 public:
  address_registers(const kernel& gemm, const trace::cta_entry& cta, unsigned warp) : gemm_(gemm), cta_(cta), warp_(warp) {}

  void execute(const isa::instruction& code) {
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane) execute(code, lane);
  }

  /// The address that a memory operand makes in a lane.
  std::uint64_t address(const isa::memory_reference& memory, unsigned lane) const {
    std::uint64_t base = registers_[memory.base][lane];
    if (memory.base_count == 2) base |= std::uint64_t{registers_[memory.base + 1u][lane]} << 32;
    return base + static_cast<std::uint64_t>(memory.offset);
  }

 private:
  void execute(const isa::instruction& code, unsigned lane) {
    const auto result = result_of(code, lane);
    if (!result) return;
    registers_[code.destinations[0].index][lane] = static_cast<std::uint32_t>(*result);
    if (code.op == isa::opcode::iadd3) carry_[lane] = *result >> 32;
  }

  std::optional<std::uint64_t> result_of(const isa::instruction& code, unsigned lane) const {
    const auto source = [&](unsigned i) { return std::uint64_t{value(code.sources[i], lane)}; };
    switch (code.op) {
      case isa::opcode::s2r:
        return special(static_cast<isa::special_register>(code.sources[0].index), lane);
      case isa::opcode::imad:
        return source(0) * source(1) + source(2);
      case isa::opcode::shf:
        return source(2) >> source(1);
      case isa::opcode::lop3:
        return source(0) & source(1);
      case isa::opcode::iadd3:
        return source(0) + source(1) + source(2) + (code.mods.carry_in ? carry_[lane] : 0);
      default:
        return std::nullopt;
    }
  }

  std::uint32_t value(const isa::operand& operand, unsigned lane) const {
    if (operand.what == isa::operand::kind::constant) return parameter(operand.value - gemm_.program.parameter_offset());
    if (operand.what == isa::operand::kind::immediate) return operand.value;
    return operand.reads_vector_registers() ? registers_[operand.index][lane] : 0;
  }

  std::uint32_t parameter(std::uint32_t offset) const {
    const std::array pointers{gemm_.plan.memory.a, gemm_.plan.memory.b, gemm_.plan.memory.d};
    return static_cast<std::uint32_t>(pointers.at(offset / 8) >> offset % 8 * 8);
  }

  std::uint32_t special(isa::special_register which, unsigned lane) const {
    if (which == isa::special_register::tid_x) return warp_ * trace::warp_lanes + lane;
    return which == isa::special_register::ctaid_x ? cta_.x : cta_.y;
  }

  const kernel& gemm_;
  const trace::cta_entry& cta_;
  unsigned warp_;
  std::array<std::array<std::uint32_t, trace::warp_lanes>, 256> registers_{};
  std::array<std::uint64_t, trace::warp_lanes> carry_{};
};

/// The bracketed address of an instruction; null if it has none.
const isa::memory_reference* memory_of(const isa::instruction& code) {
  for (const isa::operand& operand : code.sources)
    if (operand.what == isa::operand::kind::memory) return &operand.memory;
  return nullptr;
}

class gemm_trace_of : public testing::TestWithParam<std::tuple<const char*, const char*, bool>> {
 protected:
  static kernel make(unsigned size, gemm_tiling tiling = {}) {
    const auto [machine, precision, double_buffered] = GetParam();
    tiling.double_buffered = double_buffered;
    return {machine, precision, size, tiling};
  }
};

INSTANTIATE_TEST_SUITE_P(kernels, gemm_trace_of,
                         testing::Values(std::tuple{"volta", "mixed", true}, std::tuple{"turing", "f16", true},
                                         std::tuple{"turing", "s4", false}, std::tuple{"ampere", "tf32", true},
                                         std::tuple{"hopper", "s8", true}, std::tuple{"hopper", "mixed", false}));

}  // namespace

TEST_P(gemm_trace_of, multiplies_every_element_once) {
  const kernel gemm = make(128);
  std::uint64_t instructions = 0;
  for_each_step(gemm.read(), [&](const trace::step& step) { instructions += step.code->mma.has_value(); });
  const std::uint64_t steps = std::uint64_t{128} * 128 * 128 / (gemm.plan.step.m * gemm.plan.step.n * gemm.plan.step.k);
  EXPECT_EQ(instructions, steps * gemm.plan.step.instructions.size());
}

TEST_P(gemm_trace_of, stores_every_byte_of_the_product_once) {
  const kernel gemm = make(128);
  std::set<std::uint64_t> words;
  std::uint64_t stored = 0;
  const trace::trace trace = gemm.read();
  for_each_step(trace, [&](const trace::step& step) {
    if (step.code->op != isa::opcode::stg) return;
    const unsigned bytes = trace::access_of(*step.code).bytes;
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane)
      for (unsigned byte = 0; byte < bytes; byte += 4) words.insert(step.addresses[lane] + byte);
    stored += trace::warp_lanes * bytes;
  });
  EXPECT_EQ(stored, gemm.plan.problem.d_bytes());
  EXPECT_EQ(words.size() * 4, gemm.plan.problem.d_bytes());
  EXPECT_EQ(*words.begin(), gemm.plan.memory.d);
}

TEST_P(gemm_trace_of, loads_fragments_without_bank_conflicts) {
  const kernel gemm = make(128);
  const trace::trace trace = gemm.read();
  for_each_step(trace, [&](const trace::step& step) {
    if (step.code->op != isa::opcode::ldsm) return;
    for (unsigned first = 0; first < 8u * step.code->mods.matrices; first += 8) {
      std::set<std::uint64_t> banks;
      for (unsigned row = 0; row < 8; ++row) banks.insert(step.addresses[first + row] % 128 / 16);
      ASSERT_EQ(banks.size(), 8u) << step.code->text << " line " << step.line;
    }
  });
}

TEST_P(gemm_trace_of, computes_the_addresses_that_it_lists) {
  const kernel gemm = make(128, {32, 64, 0, 2, 2, true});
  const trace::trace trace = gemm.read();
  const trace::cta_entry& cta = trace.ctas().back();
  const unsigned warp = cta.warp_count - 1;
  address_registers registers(gemm, cta, warp);
  trace::warp_player player = trace.play(cta, warp);
  unsigned compared = 0;
  for (trace::step step; player.next(step);) {
    registers.execute(*step.code);
    const isa::memory_reference* const memory = memory_of(*step.code);
    if (memory == nullptr || step.mask == 0) continue;
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane, ++compared)
      ASSERT_EQ(registers.address(*memory, lane), step.addresses[lane]) << step.code->text << " line " << step.line << " lane " << lane;
  }
  EXPECT_GT(compared, 500u);
}

TEST(gemm_trace, every_instruction_has_a_control_code) {
  const kernel gemm("turing", "mixed", 64, {});
  for (const code_block& block : gemm.program.code().blocks)
    for (const kernel_instruction& instruction : block.instructions) EXPECT_TRUE(instruction.code.control);
}

TEST(gemm_trace, a_loop_repeats_its_code) {
  const kernel gemm("ampere", "mixed", 256, {64, 64, 32, 2, 2});
  ASSERT_EQ(gemm.plan.tiles, 8u);
  std::set<std::uint32_t> pcs;
  std::uint64_t steps = 0;
  const trace::trace trace = gemm.read();
  trace::warp_player player = trace.play(trace.ctas()[0], 0);
  for (trace::step step; player.next(step); ++steps) pcs.insert(step.pc);
  EXPECT_LT(pcs.size() * 5 / 3, steps);
}

TEST(gemm_trace, operands_that_the_next_instruction_shares_are_marked_for_reuse) {
  const kernel gemm("volta", "mixed", 64, {});
  unsigned reused = 0, products = 0;
  for (const kernel_instruction& instruction : gemm.program.code().blocks.back().instructions) EXPECT_FALSE(instruction.code.mma);
  for (const code_block& block : gemm.program.code().blocks)
    for (const kernel_instruction& instruction : block.instructions) {
      products += instruction.code.mma.has_value();
      reused += instruction.code.text.find(".reuse") != std::string::npos;
    }
  EXPECT_GT(reused * 2, products) << "three of the four steps of a set, unless a load stands behind them";
}

}  // namespace gemm_trace_test
