// SPDX-License-Identifier: Apache-2.0
#include "gemm_control.hpp"

#include <algorithm>

#include <tc/config/opcode_latencies.hpp>
#include <tc/isa/bypass.hpp>
#include <tc/isa/instruction_parser.hpp>

namespace tc::kernels {
namespace {

using isa::execution_unit;
using isa::register_file;

constexpr unsigned longest_stall = 15;

/// The pipe that takes an instruction; null if its results are not timed by one.
const config::pipe_parameters* pipe_of(execution_unit unit, const config::pipes_parameters& pipes) {
  switch (unit) {
    case execution_unit::fp32:
      return &pipes.fp32;
    case execution_unit::integer:
      return &pipes.integer;
    case execution_unit::half:
      return &pipes.half;
    case execution_unit::uniform:
      return &pipes.uniform;
    default:
      return nullptr;
  }
}

isa::control_code& control_of(kernel_instruction& instruction) { return *instruction.code.control; }

}  // namespace

unsigned code_timing::latency_cycles(const isa::instruction& producer, const isa::register_use& written) const {
  constexpr unsigned predicate_latency = 13;  // from a comparison to the branch, in compiled code of all generations
  if (written.file == register_file::predicate) return predicate_latency;
  if (isa::is_mma(producer.op)) return step_.latency_cycles;
  const config::pipe_parameters* const pipe = pipe_of(isa::unit_of(producer.op), machine_.pipes);
  if (pipe == nullptr) return 1;
  return config::opcode_latencies(*pipe).cycles(producer);
}

unsigned code_timing::lead_cycles(const isa::instruction& producer, const isa::instruction& consumer, const isa::register_use& use) const {
  if (isa::is_mma(consumer.op) && !isa::is_mma(producer.op)) return machine_.tensor_core.operand_lead_cycles;
  return isa::changes_bypass(isa::bypass_of(producer.op), consumer, use) ? machine_.bypass.other_pipe_cycles : 0;
}

void control_planner::plan() {
  for (code_block& block : code_.blocks)
    for (kernel_instruction& instruction : block.instructions) {
      instruction.code.control.emplace();
      control_of(instruction).stall_cycles = instruction.least_stall;
    }
  while (!walk()) {
  }
}

/// Follows the path once. False if the code has changed so that what was found before may no longer be enough.
bool control_planner::walk() {
  registers_.fill({});
  barriers_.fill({});
  previous_.reset();
  cycle_ = next_matrix_ = 0;
  announces_more_ = false;
  for (const block_visit& pass : code_.path)
    for (std::size_t i = 0; i < code_.blocks[pass.block].instructions.size(); ++i)
      if (!visit({pass.block, i})) return false;
  return !announces_more_;
}

bool control_planner::visit(place at) {
  kernel_instruction& instruction = code_.blocks[at.block].instructions[at.index];
  release(control_of(instruction).wait_mask);
  if (!keep_apart(earliest_issue(instruction))) return false;
  issue(instruction);
  previous_ = at;
  cycle_ += control_of(instruction).stall_cycles;
  return true;
}

/// The first cycle in which an instruction may issue, apart from barriers, for which it is made to wait.
std::uint64_t control_planner::earliest_issue(kernel_instruction& instruction) {
  std::uint64_t earliest = isa::is_mma(instruction.code.op) ? next_matrix_ : 0;
  const auto settle = [&](const isa::register_use& use, bool overwrites) {
    register_state* const state = state_of(use);
    for (unsigned i = 0; state != nullptr && i < use.count; ++i) {
      wait_for_result(instruction, state[i]);
      if (overwrites) wait_for_reader(instruction, state[i]);
      if (state[i].writer != nullptr)
        earliest = std::max(earliest, state[i].ready + timing_.lead_cycles(state[i].writer->code, instruction.code, use));
    }
  };
  for (const isa::register_use& use : instruction.code.reads) settle(use, false);
  for (const isa::register_use& use : instruction.code.writes) settle(use, true);
  // A barrier counts one cycle after the issue of who sets it (Huerta et al., arXiv 2503.20481, section 4).
  for (unsigned b = 0; b < barriers_.size(); ++b)
    if ((control_of(instruction).wait_mask >> b & 1) != 0) earliest = std::max(earliest, barriers_[b].set + 2);
  return earliest;
}

/// What barriers announced is there, once they have been waited for.
void control_planner::release(std::uint8_t wait_mask) {
  for (unsigned b = 0; b < barriers_.size(); ++b) barriers_[b].generation += wait_mask >> b & 1u;
}

bool control_planner::is_released(const announcement& announced) const {
  return announced.generation != barriers_[announced.by->barrier].generation;
}

void control_planner::wait_for_result(kernel_instruction& consumer, const register_state& state) {
  if (state.write.by == nullptr) return;
  std::uint8_t& barrier = control_of(*state.write.by).write_barrier;
  if (barrier == no_barrier || !is_released(state.write)) wait(consumer, state.write, barrier);
}

/// An instruction whose results are there has read its operands too.
void control_planner::wait_for_reader(kernel_instruction& writer, const register_state& state) {
  if (state.read.by == nullptr) return;
  isa::control_code& control = control_of(*state.read.by);
  const bool announced = control.read_barrier != no_barrier || control.write_barrier != no_barrier;
  if (!announced || !is_released(state.read)) wait(writer, state.read, control.read_barrier);
}

void control_planner::wait(kernel_instruction& instruction, const announcement& announced, std::uint8_t& announced_by) {
  if (announced_by == no_barrier) {
    announced_by = announced.by->barrier;
    announces_more_ = true;
  }
  const auto mask = static_cast<std::uint8_t>(1u << announced_by);
  control_of(instruction).wait_mask |= mask;
  release(mask);
}

/// Makes the previous instruction stall until `earliest`. False if that takes a NOP.
bool control_planner::keep_apart(std::uint64_t earliest) {
  if (earliest <= cycle_ || !previous_) return true;
  isa::control_code& before = control_of(code_.blocks[previous_->block].instructions[previous_->index]);
  const std::uint64_t stall = before.stall_cycles + (earliest - cycle_);
  before.stall_cycles = static_cast<std::uint8_t>(std::min<std::uint64_t>(stall, longest_stall));
  if (stall > longest_stall) {
    insert_nop(*previous_);
    return false;
  }
  cycle_ = earliest;
  return true;
}

/// In front of it, if it is a branch, which must stay the last instruction of its block.
void control_planner::insert_nop(place behind) {
  auto& instructions = code_.blocks[behind.block].instructions;
  const std::size_t position = behind.index + (instructions[behind.index].is_branch() ? 0 : 1);
  kernel_instruction nop;
  nop.code = isa::parse_operation("NOP", isa::architecture::sm_75);
  nop.code.control.emplace().stall_cycles = 1;
  instructions.insert(instructions.begin() + static_cast<std::ptrdiff_t>(position), nop);
}

void control_planner::issue(kernel_instruction& instruction) {
  if (isa::is_mma(instruction.code.op)) next_matrix_ = cycle_ + timing_.interval_cycles();
  const bool announced = timing_.is_announced(instruction.code);
  const isa::control_code& control = control_of(instruction);
  for (const std::uint8_t barrier : {control.write_barrier, control.read_barrier})
    if (barrier != no_barrier) barriers_[barrier].set = cycle_;
  const announcement pending{announced ? &instruction : nullptr, announced ? barriers_[instruction.barrier].generation : 0};
  for (const isa::register_use& use : instruction.code.reads)
    if (register_state* const state = state_of(use); state != nullptr && announced)
      for (unsigned i = 0; i < use.count; ++i) state[i].read = pending;
  for (const isa::register_use& use : instruction.code.writes) {
    register_state* const state = state_of(use);
    for (unsigned i = 0; state != nullptr && i < use.count; ++i) {
      state[i].writer = &instruction;
      state[i].write = pending;
      state[i].ready = announced ? 0 : cycle_ + timing_.latency_cycles(instruction.code, use);
    }
  }
}

control_planner::register_state* control_planner::state_of(const isa::register_use& use) {
  switch (use.file) {
    case register_file::vector:
      return &registers_[use.index];
    case register_file::uniform:
      return &registers_[256u + use.index];
    case register_file::predicate:
      return &registers_[256u + 64u + use.index];
    case register_file::uniform_predicate:
      return &registers_[256u + 64u + 8u + use.index];
    default:
      return nullptr;
  }
}

}  // namespace tc::kernels
