// SPDX-License-Identifier: Apache-2.0
#include "shared_memory_initiator.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <tc/fabric/reports.hpp>

namespace tc::links {

unsigned char* shared_memory_transfer::note_undefined(const access_run& run, std::uint64_t first) {
  if (!std::exchange(any_undefined, true)) {
    undefined_run = &run;
    first_undefined = first;
    for (const access_run* each = runs_begin; undefined != nullptr && each != runs_end; ++each)
      std::fill_n(undefined + each->offset, each->length, static_cast<unsigned char>(0));
  }
  return undefined == nullptr ? nullptr : undefined + run.offset;
}

void shared_memory_transfer::note_hazard(const access_run& run, fabric::proxy_hazard found, std::uint64_t first) {
  if (found == fabric::proxy_hazard::none || hazard != fabric::proxy_hazard::none) return;
  hazard = found;
  hazard_run = &run;
  first_hazard = first;
}

shared_memory_initiator::shared_memory_initiator(const char* name, done_callback done)
    : simple_initiator_socket(name), done_(std::move(done)) {
  register_nb_transport_bw(this, &shared_memory_initiator::backward);
}

void shared_memory_initiator::send(shared_memory_transfer& transfer) {
  transfer.what = shared_memory_transfer::kind::access;
  transfer.first_valid = ~cycle_t{0};
  transfer.valid = transfer.arrival;
  transfer.status = tlm::TLM_OK_RESPONSE;
  transfer.hazard = fabric::proxy_hazard::none;
  if (!transfer.is_write) transfer.any_undefined = false;
  ++outstanding_;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  const tlm::tlm_sync_enum answer = (*this)->nb_transport_fw(transfer, phase, none);
  if (answer == tlm::TLM_ACCEPTED) return;
  if (answer == tlm::TLM_UPDATED && phase != tlm::BEGIN_RESP)
    return fabric::error(fabric::report::initiator_phase, name(), std::string("an access was answered with the phase ") + phase.get_name());
  finish(transfer);
}

void shared_memory_initiator::finish(shared_memory_transfer& transfer) {
  --outstanding_;
  done_(transfer);
}

tlm::tlm_sync_enum shared_memory_initiator::backward(shared_memory_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase != tlm::BEGIN_RESP || outstanding_ == 0) {
    fabric::error(fabric::report::initiator_phase, name(), std::string("unexpected backward phase ") + phase.get_name());
    return tlm::TLM_ACCEPTED;
  }
  finish(transfer);
  return tlm::TLM_COMPLETED;
}

void shared_memory_initiator::change(shared_memory_transfer::kind what, std::uint64_t base, std::uint64_t bytes) {
  shared_memory_transfer changed;
  changed.what = what;
  changed.base = base;
  changed.bytes = bytes;
  notify(changed, tlm::BEGIN_REQ);
}

/// Nothing follows.
void shared_memory_initiator::notify(shared_memory_transfer& transfer, tlm::tlm_phase phase) {
  sc_core::sc_time none = sc_core::SC_ZERO_TIME;
  if ((*this)->nb_transport_fw(transfer, phase, none) != tlm::TLM_COMPLETED)
    fabric::error(fabric::report::initiator_result, name(), "an announcement or a change was not answered TLM_COMPLETED");
}

bool shared_memory_initiator::read(memory_user user, std::uint64_t address, unsigned char* bytes, std::size_t count,
                                   unsigned char* undefined) {
  shared_memory_transfer transfer;
  transfer.user = user;
  transfer.buffer = bytes;
  transfer.undefined = undefined;
  if (undefined != nullptr) std::fill_n(undefined, count, static_cast<unsigned char>(0));
  return move(transfer, address, count);
}

bool shared_memory_initiator::write(memory_user user, std::uint64_t address, const unsigned char* bytes, std::size_t count,
                                    const unsigned char* undefined) {
  shared_memory_transfer transfer;
  transfer.user = user;
  transfer.is_write = true;
  transfer.buffer = const_cast<unsigned char*>(bytes);  // a write does not change them
  transfer.undefined = const_cast<unsigned char*>(undefined);
  transfer.any_undefined = undefined != nullptr;
  return move(transfer, address, count);
}

/// A run after the other, since the length of one is limited.
bool shared_memory_initiator::move(shared_memory_transfer& transfer, std::uint64_t address, std::size_t count) {
  constexpr std::size_t largest = 1U << 15;
  for (std::size_t done = 0, length = 0; done < count; done += length) {
    length = std::min(largest, count - done);
    access_run run;
    run.length = static_cast<std::uint16_t>(length);
    transfer.base = address + done;
    transfer.bytes = length;
    transfer.runs_begin = &run;
    transfer.runs_end = &run + 1;
    if ((*this)->transport_dbg(transfer) != length) return false;
    transfer.buffer += length;
    if (transfer.undefined != nullptr) transfer.undefined += length;
    if (!transfer.is_write) transfer.any_undefined = false;
  }
  return true;
}

void shared_memory_initiator::begin_region(std::uint64_t base, std::uint64_t bytes) {
  shared_memory_transfer region;
  region.what = shared_memory_transfer::kind::begin;
  region.base = base;
  region.bytes = bytes;
  (*this)->transport_dbg(region);
}

}  // namespace tc::links
