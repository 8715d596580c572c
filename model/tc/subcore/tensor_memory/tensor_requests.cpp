// SPDX-License-Identifier: Apache-2.0
#include "tensor_requests.hpp"

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

}  // namespace tc::subcore
