// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory_unit.hpp"

#include <algorithm>
#include <utility>

#include <tc/links/arrival_cycle.hpp>

namespace tc::subcore {

tensor_requests::tensor_requests(const sc_core::sc_module_name& module_name, unsigned places, fabric::clock_domain& clock,
                                 done_callback done, free_callback place_free)
    : sc_module(module_name), places_(places), clock_(clock), done_(std::move(done)), place_free_(std::move(place_free)) {
  request.register_nb_transport_bw(this, &tensor_requests::request_progressed);
  allocation.register_nb_transport_bw(this, &tensor_requests::allocation_done);
}

tensor_requests::~tensor_requests() = default;

void tensor_requests::take_place() {
  sc_assert(has_place());
  ++requests_;
  if (++taken_ == places_) ++times_full_;
}

void tensor_requests::send_request(links::warp_instruction& instruction) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  request->nb_transport_fw(instruction, phase, delay);
}

tlm::tlm_sync_enum tensor_requests::request_progressed(links::warp_instruction& instruction, tlm::tlm_phase& phase,
                                                       sc_core::sc_time& delay) {
  if (phase == tlm::END_REQ) {
    sc_assert(taken_ > 0);
    if (taken_-- == places_) place_free_();
    return tlm::TLM_ACCEPTED;
  }
  done_(instruction, visible_after(delay));
  return tlm::TLM_COMPLETED;
}

void tensor_requests::send_allocation(links::warp_instruction& instruction, const isa::tensor_allocation_operation& operation) {
  ++allocations_;
  links::allocation_transfer transfer;
  transfer.operation = &operation;
  transfer.warp = instruction.warp;
  transfer.code = instruction.step.code;
  transfer.line = instruction.step.line;
  transfer.record = instruction.record;
  transfer.owner = &instruction;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  allocation->nb_transport_fw(transfer, phase, delay);
}

tlm::tlm_sync_enum tensor_requests::allocation_done(links::allocation_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time& delay) {
  done_(*static_cast<links::warp_instruction*>(transfer.owner), visible_after(delay));
  return tlm::TLM_COMPLETED;
}

cycle_t tensor_requests::visible_after(const sc_core::sc_time& delay) const {
  return std::max(links::arrival_cycle(clock_, delay), clock_.cycle() + 1);
}

void tensor_requests::reset() { requests_ = allocations_ = times_full_ = 0; }

void tensor_requests::collect(fabric::statistics_sink& sink) const {
  sink.count("requests", requests_, "instructions", "Instructions for the tensor engine");
  sink.count("allocations", allocations_, "instructions", "Allocations and deallocations of columns");
  sink.count("queue_full", times_full_, "instructions", "Instructions that took the last place of the engine's queue");
}

namespace {

const isa::tcgen05_operation& operation_of(const isa::instruction& code) { return *isa::tcgen05_of(code); }

bool is_for_engine(const isa::tcgen05_operation& operation) {
  return std::holds_alternative<isa::tensor_mma_operation>(operation) || std::holds_alternative<isa::tensor_copy_operation>(operation) ||
         std::holds_alternative<isa::tensor_shift_operation>(operation) || std::holds_alternative<isa::tensor_commit_operation>(operation);
}

bool is_access(const isa::tcgen05_operation& operation) { return std::holds_alternative<isa::tensor_access_operation>(operation); }

}  // namespace

tensor_memory_unit::tensor_memory_unit(const sc_core::sc_module_name& module_name, const params& parameters, const surroundings& around)
    : sc_module(module_name),
      accesses("accesses", {parameters.admission, parameters.warp_slots, parameters.data}, around.registers, around.shadow, around.clock,
               [this](links::warp_instruction& instruction, cycle_t visible) { send_result(instruction, visible); }),
      requests(
          "requests", parameters.queue_entries, around.clock,
          [this](links::warp_instruction& instruction, cycle_t visible) { send_result(instruction, visible); },
          [&scheduler = around.scheduler, &clock = around.clock] { scheduler.ask_again(clock.cycle() + 1); }),
      clock_(around.clock) {
  dispatch.serve<&tensor_memory_unit::dispatched>(*this);
  status.bind(*this);
}

tensor_memory_unit::~tensor_memory_unit() = default;

links::availability tensor_memory_unit::earliest_dispatch(const isa::instruction& code, cycle_t wanted) const {
  const isa::tcgen05_operation& operation = operation_of(code);
  if (is_for_engine(operation) && !requests.has_place()) return {links::unknown_cycle, links::stall_cause::tensor_queue};
  const cycle_t cycle = is_access(operation) ? accesses.earliest_dispatch(wanted) : wanted;
  return {cycle, cycle > wanted ? links::stall_cause::pipe_busy : links::stall_cause::none};
}

tlm::tlm_sync_enum tensor_memory_unit::dispatched(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ) {
    reserve(instruction);
  } else if (phase == links::OPERANDS_READY) {
    begin(instruction);
  }
  return tlm::TLM_COMPLETED;
}

/// Instructions come here in the order of their issue.
void tensor_memory_unit::reserve(links::warp_instruction& instruction) {
  ++inside_;
  instruction.operands_read = instruction.dispatch;
  instruction.result = 0;
  instruction.undefined_lanes = 0;
  if (instruction.step.mask == 0) return;
  const isa::tcgen05_operation& operation = operation_of(instruction.code());
  if (is_access(operation)) accesses.announce(instruction);
  if (is_for_engine(operation)) requests.take_place();
}

void tensor_memory_unit::begin(links::warp_instruction& instruction) {
  instruction.keep_operands();
  const isa::tcgen05_operation& operation = operation_of(instruction.code());
  if (instruction.step.mask == 0 || std::holds_alternative<isa::tensor_fence_operation>(operation))
    return send_result(instruction, clock_.cycle() + 1);
  if (is_access(operation)) return accesses.begin(instruction);
  if (is_for_engine(operation)) return requests.send_request(instruction);
  if (std::holds_alternative<isa::tensor_wait_operation>(operation)) return accesses.wait(instruction);
  requests.send_allocation(instruction, std::get<isa::tensor_allocation_operation>(operation));
}

void tensor_memory_unit::send_result(links::warp_instruction& instruction, cycle_t visible) {
  sc_assert(inside_ > 0);
  --inside_;
  instruction.result = visible;
  links::hand_on(result, instruction);
}

void tensor_memory_unit::collect(fabric::statistics_sink& sink) const {
  accesses.collect(sink);
  requests.collect(sink);
}

}  // namespace tc::subcore
