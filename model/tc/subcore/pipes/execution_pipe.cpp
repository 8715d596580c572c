// SPDX-License-Identifier: Apache-2.0
#include "execution_pipe.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <tc/isa/special_register.hpp>
#include <tc/isa/warp_lanes.hpp>
#include <tc/lanes/lane_operations.hpp>
#include <tc/lanes/warp_operations.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/subcore/pipes/constant_cache.hpp>
#include <tc/subcore/pipes/operand_values.hpp>

namespace tc::subcore {

execution_pipe::execution_pipe(const sc_core::sc_module_name& module_name, const config::pipe_parameters& parameters, bool data,
                               fabric::clock_domain& clock, links::issue_slot_account* slots, constant_cache* constants,
                               const config::bypass_parameters& bypass)
    : sc_module(module_name),
      params_(parameters),
      bypass_(bypass),
      data_(data),
      clock_(clock),
      constants_(constants),
      latencies_(parameters),
      occupancy_(slots) {
  dispatch.serve<&execution_pipe::forward>(*this);
  status.bind(*this);
}

execution_pipe::~execution_pipe() = default;

links::availability execution_pipe::earliest_dispatch(const isa::instruction&, cycle_t dispatch_cycle) const {
  if (input_free_ <= dispatch_cycle) return {dispatch_cycle, links::stall_cause::none};
  return {input_free_, links::stall_cause::pipe_busy};
}

tlm::tlm_sync_enum execution_pipe::forward(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ)
    reserve(instruction);
  else
    begin(instruction);
  return tlm::TLM_COMPLETED;
}

/// LDC goes through the constant caches, and its lanes may read at several addresses. Compiled code takes ULDC, whose destination is
/// uniform, for a hit of fixed latency.
bool execution_pipe::waits_for_constants(const isa::instruction& code) const {
  const isa::opcode_info& row = isa::info(code.op);
  const bool is_by_lane = row.memory.space == isa::memory_space::constant && row.destinations.file == isa::register_file::vector;
  return constants_ != nullptr && is_by_lane && (!constants_->is_ideal() || is_indexed_by_lane(code));
}

/// The result of a queued unit may have to wait for a write port. Only write-back knows for how long, and the dependence counter of the
/// instruction is released when it does: a consumer that waits for the counter never reads too early. Uniform registers have no such ports.
bool execution_pipe::announces_result(const isa::instruction& code) const {
  if (!isa::is_queued(code.op) || (bypass_.fp64_is_fixed && isa::unit_of(code.op) == isa::execution_unit::fp64)) return false;
  return std::any_of(code.writes.begin(), code.writes.end(), [](const isa::register_use& use) {
    return use.file == isa::register_file::vector || use.file == isa::register_file::predicate;
  });
}

void execution_pipe::reserve(links::warp_instruction& instruction) {
  const cycle_t arrival = instruction.dispatch;
  const cycle_t hold = warp::lanes_per_warp / params_.lanes;
  sc_assert(arrival >= input_free_);
  input_free_ = arrival + hold;
  const isa::instruction& code = instruction.code();
  const bool is_unknown = waits_for_constants(code) || announces_result(code);
  const cycle_t latency = latencies_.cycles(code);
  instruction.result = is_unknown ? 0 : arrival + latency;
  instruction.lower_half_lead = code.mods.wide ? std::min<cycle_t>(bypass_.wide_lead_cycles, latency - 1) : 0;
  busy_cycles_ += hold;
  occupancy_.take(arrival, input_free_);
  ++instructions_;
}

void execution_pipe::begin(links::warp_instruction& instruction) {
  // Operands that came late, from a bank that does not answer in the call, make the result late too.
  if (instruction.dispatch < clock_.cycle()) {
    if (instruction.result != 0) instruction.result += clock_.cycle() - instruction.dispatch;
    instruction.dispatch = clock_.cycle();
  }
  if (instruction.result == 0) instruction.result = instruction.dispatch + latencies_.cycles(instruction.code());
  if (waits_for_constants(instruction.code()))
    instruction.result += constants_->further_cycles(instruction.warp->kernel, addresses_of(instruction, data_), instruction.dispatch);
  instruction.undefined_lanes = 0;
  if (isa::is_mma(instruction.code().op)) sc_assert(false);
  if (data_) {
    if (compute(instruction)) {
      inherit_undefined(instruction);
    } else {
      ++not_computed_;
      instruction.undefined_lanes = isa::all_warp_lanes;
      instruction.origin = {&instruction.code(), instruction.step.line};
    }
  } else {
    read_special(instruction);  // clock reads are timing
  }
  links::hand_on(result, instruction);
}

/// Fills in the results; false if the model does not compute the instruction.
bool execution_pipe::compute(links::warp_instruction& instruction) {
  const isa::instruction& code = instruction.code();
  const isa::opcode_info& row = isa::info(code.op);
  if (row.memory.space == isa::memory_space::constant) return load_constants(instruction);
  if (row.sources == isa::source_kind::special_register) return read_special(instruction);
  const lanes::lane_operation of_lanes = lanes::find_lane_operation(code);
  const lanes::warp_operation of_warp = of_lanes == nullptr ? lanes::find_warp_operation(code) : nullptr;
  if (of_lanes == nullptr && of_warp == nullptr) return false;
  const lanes::lane_operands::source_list sources = lane_sources_of(instruction);
  std::size_t registers = 0;
  for (unsigned d = 0; d < code.destination_count; ++d) registers = std::max<std::size_t>(registers, code.destinations[d].count);
  registers = std::min(registers, lanes_.registers.size());
  lanes_.predicates = {};
  std::fill_n(lanes_.registers.begin(), registers, warp::lane_vector{});
  if (of_lanes != nullptr)
    of_lanes(lanes::lane_operands(code, sources), lanes_);
  else if (instruction.step.mask != 0)
    of_warp(lanes::lane_operands(code, sources), instruction.step.mask, lanes_);
  std::copy_n(lanes_.registers.begin(), registers, instruction.result_registers.begin());
  instruction.result_predicates = lanes_.predicates;
  return true;
}

/// Special registers are read one cycle after issue, where dependence counters are incremented too (Huerta et al., arXiv 2503.20481,
/// section 5.1.1).
bool execution_pipe::read_special(links::warp_instruction& instruction) {
  const isa::operand& source = instruction.code().sources[0];
  if (instruction.code().source_count == 0 || source.what != isa::operand::kind::special) return false;
  const cycle_t read_cycle = instruction.issued + 1;
  if (source.index == static_cast<std::uint8_t>(isa::special_register::clock_low)) observer->clock_read(instruction, read_cycle);
  return lanes::read_special_register(source.index, *instruction.warp, read_cycle, instruction.result_registers[0],
                                      instruction.result_registers[1]);
}

/// What is computed from an undefined value is undefined, and has the same origin.
void execution_pipe::inherit_undefined(links::warp_instruction& instruction) {
  if (lanes::find_warp_operation(instruction.code()) != nullptr) return inherit_undefined_of_warp(instruction);
  for (unsigned s = 0; s < instruction.code().source_count; ++s) {
    const links::source_value& value = instruction.sources[s];
    if (value.undefined_lanes == 0) continue;
    if (instruction.undefined_lanes == 0) instruction.origin = value.origin;
    instruction.undefined_lanes |= value.undefined_lanes;
  }
}

void execution_pipe::reset() {
  occupancy_.reset();
  input_free_ = 0;
  instructions_ = busy_cycles_ = not_computed_ = 0;
}

void execution_pipe::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Instructions taken");
  sink.busy(busy_cycles_, "Cycles in which the input latch was held");
  occupancy_.collect(sink);
  sink.count("not_computed", not_computed_, "instructions", "Instructions whose result the model leaves undefined");
  if (constants_ != nullptr) constants_->collect(sink);
}

}  // namespace tc::subcore
