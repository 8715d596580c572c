// SPDX-License-Identifier: Apache-2.0
#include "control_transfer.hpp"

namespace tc::subcore {

namespace {

constexpr std::uint32_t bytes_to_next = 16;  // from Volta on (Jia et al., arXiv 1804.06826)

}  // namespace

fabric::cycle_t transfer_cycles(const config::branch_parameters& parameters, const control_instruction& from, const warp::warp_step& next) {
  using isa::opcode;
  const bool goes_on = next.pc == from.pc + bytes_to_next;
  const bool has_others = (next.mask & ~from.lanes) != 0;  // lanes that came another way
  switch (from.code->op) {
    case opcode::bra:
    case opcode::call:
    case opcode::jmp:
      if (goes_on) return 0;
      if (!from.lanes_are_known) return parameters.taken_cycles;
      if (has_others) return parameters.switch_cycles;
      return parameters.taken_cycles + (next.mask != from.lanes ? parameters.divergence_cycles : 0);
    case opcode::bsync:
      if (!goes_on) return parameters.switch_cycles;
      return has_others ? parameters.reconvergence_cycles : parameters.convergence_cycles;
    case opcode::ret:
    case opcode::brx:
    case opcode::jmx:
      return goes_on ? 0 : parameters.computed_cycles;
    default:
      return goes_on ? 0 : parameters.switch_cycles;
  }
}

}  // namespace tc::subcore
