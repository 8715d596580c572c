// SPDX-License-Identifier: Apache-2.0
#include <string_view>

#include <tc/execution/instruction_text.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/steps.hpp>

namespace tc::execution {

namespace {

step step_of_branch(const isa::instruction& code, const listings::program_instruction& listed) {
  using listings::control_flow;
  if (code.op == isa::opcode::bra && has_suffix(code, "ANY")) return listed.target ? steps::branch_together : nullptr;
  switch (listed.flow) {
    case control_flow::branch:
      return listed.target ? steps::branch : nullptr;
    case control_flow::computed:
      return listed.target ? steps::branch_to_register : nullptr;
    case control_flow::if_divergent:
      return listed.target ? steps::branch_if_divergent : nullptr;
    case control_flow::exit:
      return steps::end_lanes;
    default:
      break;
  }
  switch (code.op) {
    case isa::opcode::bssy:
      return steps::set_convergence_barrier;
    case isa::opcode::bsync:
      return steps::wait_for_convergence;
    case isa::opcode::break_:
      return steps::leave_convergence_barrier;
    case isa::opcode::bmov:
      return steps::move_convergence_barrier;
    case isa::opcode::warpsync:
      return steps::synchronise_warp;
    case isa::opcode::yield:
      return steps::yield;
    case isa::opcode::endcollective:  // of the lanes that a WARPSYNC.COLLECTIVE has brought together
      return steps::do_nothing;
    case isa::opcode::kill:
      return steps::end_lanes;
    case isa::opcode::call:
    case isa::opcode::jmp:
      return steps::branch_to_register;
    default:
      return nullptr;
  }
}

step step_of_access(const isa::instruction& code) {
  using isa::memory_action;
  switch (isa::info(code.op).memory.action) {
    case memory_action::load:
      return isa::unit_of(code.op) == isa::execution_unit::constant_load ? steps::load_constant : steps::access_at_once;
    case memory_action::store:
    case memory_action::load_matrix:
    case memory_action::store_matrix:
    case memory_action::copy:
      return steps::access_at_once;
    case memory_action::transpose_matrix:
      return steps::transpose_matrix;
    case memory_action::exchange:
      return steps::compute_warp;
    case memory_action::order:
      return steps::do_nothing;
    default:
      return nullptr;
  }
}

}  // namespace

step find_step(const isa::instruction& code, const listings::program_instruction& listed) {
  if (isa::unit_of(code.op) == isa::execution_unit::branch) return step_of_branch(code, listed);
  if (code.op == isa::opcode::qspc) return steps::query_space;
  if (isa::info(code.op).memory.action != isa::memory_action::none) return step_of_access(code);
  switch (code.op) {
    case isa::opcode::nop:
    case isa::opcode::depbar:  // copies are complete when they have been executed
    case isa::opcode::nanosleep:
    case isa::opcode::pmtrig:
    case isa::opcode::preexit:
    case isa::opcode::acqbulk:
      return steps::do_nothing;
    case isa::opcode::s2r:
    case isa::opcode::s2ur:
    case isa::opcode::cs2r:
      return steps::read_special_register;
    case isa::opcode::bar:
      return steps::arrive_at_barrier;
    case isa::opcode::b2r:
      return has_suffix(code, "RESULT") ? steps::read_barrier_result : nullptr;
    case isa::opcode::vote:
    case isa::opcode::voteu:
    case isa::opcode::match:
    case isa::opcode::redux:
    case isa::opcode::elect:
      return steps::compute_warp;
    case isa::opcode::r2p:
    case isa::opcode::ur2up:
      return steps::predicates_from_register;
    case isa::opcode::p2r:
    case isa::opcode::up2ur:
      return steps::register_from_predicates;
    case isa::opcode::bpt:
      return steps::trap;
    case isa::opcode::r2ur:
      return steps::move_to_uniform;
    case isa::opcode::lepc:
      return steps::load_code_address;
    default:
      return nullptr;
  }
}

}  // namespace tc::execution
