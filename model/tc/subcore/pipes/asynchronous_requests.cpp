// SPDX-License-Identifier: Apache-2.0
#include "asynchronous_requests.hpp"

#include <algorithm>
#include <bitset>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/isa/warp_lanes.hpp>

namespace tc::subcore {

std::uint64_t bulk_groups::join() {
  ++groups_.back().reading;
  ++groups_.back().writing;
  return first_ + groups_.size() - 1;
}

void bulk_groups::commit() { groups_.emplace_back(); }

void bulk_groups::has_written(std::uint64_t number) {
  --group_of(number).writing;
  while (groups_.size() > 1 && groups_.front().writing == 0) {
    groups_.pop_front();
    ++first_;
  }
}

bool bulk_groups::have_read_but(std::size_t pending) const {
  const std::size_t committed = groups_.size() - 1;
  return pending >= committed || std::all_of(groups_.begin(), groups_.end() - static_cast<std::ptrdiff_t>(pending) - 1,
                                             [](const group& each) { return each.reading == 0; });
}

bool bulk_groups::have_written_but(std::size_t pending) const {
  const std::size_t committed = groups_.size() - 1;
  return pending >= committed || std::all_of(groups_.begin(), groups_.end() - static_cast<std::ptrdiff_t>(pending) - 1,
                                             [](const group& each) { return each.writing == 0; });
}

namespace {

template <class Entry>
Entry& take(std::vector<std::unique_ptr<Entry>>& all, std::vector<Entry*>& free) {
  if (free.empty()) {
    all.push_back(std::make_unique<Entry>());
    free.push_back(all.back().get());
  }
  Entry& entry = *free.back();
  free.pop_back();
  return entry;
}

unsigned lanes_of(std::uint32_t mask) { return static_cast<unsigned>(std::bitset<isa::lanes_per_warp>(mask).count()); }

std::string_view text(links::barrier_response response) {
  switch (response) {
    case links::barrier_response::not_initialised:
      return "there is no mbarrier at this address: mbarrier.init comes first";
    case links::barrier_response::overflow:
      return "more arrivals or bytes than the phase of the mbarrier can count";
    case links::barrier_response::bad_address:
      return "an mbarrier lies in shared memory, at a multiple of 8 bytes";
    case links::barrier_response::done:
      break;
  }
  return "";
}

}  // namespace

asynchronous_requests::asynchronous_requests(const sc_core::sc_module_name& module_name, unsigned warp_slots, fabric::clock_domain& clock,
                                             done_callback done)
    : sc_module(module_name), clock_(clock), done_(std::move(done)), warps_(warp_slots) {
  barrier.register_nb_transport_bw(this, &asynchronous_requests::barrier_answered);
  bulk_copy.register_nb_transport_bw(this, &asynchronous_requests::copy_progressed);
}

asynchronous_requests::~asynchronous_requests() = default;

void asynchronous_requests::send(links::warp_instruction& instruction, const sc_core::sc_time& delay) {
  const isa::asynchronous_operation& operation = *instruction.code().asynchronous;
  if (const auto* const on_barrier = std::get_if<isa::barrier_operation>(&operation)) return send(instruction, *on_barrier, delay);
  if (const auto* const copy = std::get_if<isa::bulk_copy_operation>(&operation)) return send(instruction, *copy, delay);
  send(instruction, std::get<isa::async_control_operation>(operation), delay);
}

/// Each active lane does it: arrivals and bytes add up.
void asynchronous_requests::send(links::warp_instruction& instruction, const isa::barrier_operation& operation, sc_core::sc_time delay) {
  barrier_request& request = take(requests_, free_requests_);
  const bool adds_up = operation.action != isa::barrier_action::initialise && operation.action != isa::barrier_action::wait;
  const unsigned lanes = adds_up ? lanes_of(instruction.step.mask) : 1;
  request.instruction = &instruction;
  request.transfer = {};
  request.transfer.action = operation.action;
  request.transfer.address = instruction.warp->shared_base + operation.address;
  request.transfer.count = operation.count * lanes;
  request.transfer.bytes = operation.bytes * lanes;
  request.transfer.parity = operation.parity;
  request.transfer.drop = operation.drop;
  request.transfer.warp = instruction.warp;
  request.transfer.record = instruction.record;
  request.transfer.owner = &request;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  if (barrier->nb_transport_fw(request.transfer, phase, delay) == tlm::TLM_COMPLETED) finish(request, delay);
}

tlm::tlm_sync_enum asynchronous_requests::barrier_answered(links::barrier_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time& delay) {
  finish(*static_cast<barrier_request*>(transfer.owner), delay);
  return tlm::TLM_COMPLETED;
}

void asynchronous_requests::finish(barrier_request& request, const sc_core::sc_time& delay) {
  links::warp_instruction& instruction = *request.instruction;
  const links::barrier_response response = request.transfer.response;
  free_requests_.push_back(&request);
  if (response != links::barrier_response::done)
    fabric::fault(fabric::report::load_store_barrier, *this, clock_.cycle(),
                  fmt::format("line {}: {}: {}", instruction.step.line, instruction.code().text, text(response)));
  instruction.result_predicates.fill(request.transfer.phase_completed ? 0xffffffffU : 0U);
  done_(instruction, delay);
}

void asynchronous_requests::send(links::warp_instruction& instruction, const isa::bulk_copy_operation& operation, sc_core::sc_time delay) {
  links::bulk_copy_transfer transfer;
  transfer.copy = &operation;
  transfer.map =
      instruction.warp->tensor_maps != nullptr && operation.tensor ? instruction.warp->tensor_maps->find(operation.map) : nullptr;
  transfer.warp = instruction.warp;
  transfer.code = instruction.step.code;
  transfer.line = instruction.step.line;
  transfer.record = instruction.record;
  copy_under_way& copy = take(copies_, free_copies_);
  copy = {&instruction, operation.to_shared ? 0 : state_of(instruction).groups.join()};
  transfer.owner = &copy;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  bulk_copy->nb_transport_fw(transfer, phase, delay);
}

tlm::tlm_sync_enum asynchronous_requests::copy_progressed(links::bulk_copy_transfer& transfer, tlm::tlm_phase& phase,
                                                          sc_core::sc_time& delay) {
  copy_under_way& copy = *static_cast<copy_under_way*>(transfer.owner);
  links::warp_instruction& instruction = *copy.instruction;
  warp_state& state = state_of(instruction);
  if (phase == tlm::END_REQ) {
    state.groups.has_read(copy.group);
    release_waiting(state, delay);
    return tlm::TLM_ACCEPTED;
  }
  free_copies_.push_back(&copy);
  if (!transfer.copy->to_shared) {
    state.groups.has_written(copy.group);
    release_waiting(state, delay);
  }
  done_(instruction, delay);
  return tlm::TLM_COMPLETED;
}

void asynchronous_requests::send(links::warp_instruction& instruction, const isa::async_control_operation& operation,
                                 const sc_core::sc_time& delay) {
  warp_state& state = state_of(instruction);
  if (operation.control == isa::async_control::bulk_commit) state.groups.commit();
  const bool waits = operation.control == isa::async_control::bulk_wait || operation.control == isa::async_control::bulk_wait_read;
  if (!waits) return done_(instruction, delay);
  state.waiting = &instruction;
  release_waiting(state, delay);
}

void asynchronous_requests::release_waiting(warp_state& state, const sc_core::sc_time& delay) {
  if (state.waiting == nullptr) return;
  const auto& operation = std::get<isa::async_control_operation>(*state.waiting->code().asynchronous);
  const bool complete = operation.control == isa::async_control::bulk_wait_read ? state.groups.have_read_but(operation.pending)
                                                                                : state.groups.have_written_but(operation.pending);
  if (complete) done_(*std::exchange(state.waiting, nullptr), delay);
}

void asynchronous_requests::reset() { std::fill(warps_.begin(), warps_.end(), warp_state{}); }

}  // namespace tc::subcore
