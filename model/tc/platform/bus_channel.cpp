// SPDX-License-Identifier: Apache-2.0
#include "bus_channel.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::platform {

const tlm::tlm_dmi* direct_regions::find(bool is_write, sc_dt::uint64 address, sc_dt::uint64 bytes) const {
  for (auto region = regions_.lower_bound(address + bytes - 1); region != regions_.end(); ++region) {
    const tlm::tlm_dmi& one = region->second;
    if (one.get_start_address() <= address && (is_write ? one.is_write_allowed() : one.is_read_allowed())) return &one;
  }
  return nullptr;
}

void direct_regions::ask(tlm::tlm_fw_direct_mem_if<>& target, bool is_write, sc_dt::uint64 address, unsigned char* data, unsigned bytes) {
  tlm::tlm_generic_payload request;
  fabric::set_attributes(request, is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data, bytes);
  tlm::tlm_dmi region;
  const std::uint64_t before = invalidations_;
  const bool granted = target.get_direct_mem_ptr(request, region);
  if (!granted || region.is_none_allowed() || region.get_dmi_ptr() == nullptr || before != invalidations_) return;
  if (region.get_start_address() > address || region.get_end_address() < address) return;  // a region for something else
  const auto same = regions_.equal_range(region.get_end_address());
  for (auto old = same.first; old != same.second;) {
    const bool is_replaced = old->second.get_start_address() == region.get_start_address() &&
                             (old->second.get_granted_access() & ~region.get_granted_access()) == 0;
    old = is_replaced ? regions_.erase(old) : std::next(old);
  }
  regions_.emplace(region.get_end_address(), region);
}

void direct_regions::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  ++invalidations_;
  for (auto region = regions_.lower_bound(first); region != regions_.end();)
    region = region->second.get_start_address() <= last ? regions_.erase(region) : std::next(region);
}

namespace {

/// Moves the enabled bytes of a burst.
void copy_enabled(const bus_burst& burst, unsigned char* memory) {
  const bus_request& request = *burst.of;
  const unsigned char* const from = request.is_write ? burst.data() : memory;
  unsigned char* const to = request.is_write ? memory : burst.data();
  if (request.byte_enables == nullptr) {
    std::memcpy(to, from, burst.bytes);
    return;
  }
  for (unsigned i = 0; i < burst.bytes; ++i)
    if (request.is_enabled(burst.offset + i)) to[i] = from[i];
}

bool is_free_later(const bus_slot* a, const bus_slot* b) { return a->free_at > b->free_at; }

}  // namespace

void bursts_on_their_way::insert(bus_slot& slot) {
  bus_slot*& first = first_[list_of(slot.burst)];
  slot.next = first;
  first = &slot;
}

void bursts_on_their_way::erase(bus_slot& slot) {
  bus_slot** link = &first_[list_of(slot.burst)];
  while (*link != &slot) link = &(*link)->next;
  *link = slot.next;
}

/// A burst crosses no multiple of burst_bytes, so that all that share bytes with it are in its list.
bool bursts_on_their_way::any_depends_on(const bus_burst& burst) const {
  const bus_slot* slot = first_[list_of(burst)];
  while (slot != nullptr && !depend_on_each_other(slot->burst, burst)) slot = slot->next;
  return slot != nullptr;
}

bus_channel::bus_channel(bus_initiator& socket, const bus_parameters& parameters, done_callback done)
    : socket_(socket), params_(parameters), done_(std::move(done)), sent_(parameters.burst_bytes) {
  if (params_.mode == timing::approximate) return;
  callers_ = std::make_unique<blocking_callers>(std::string(socket.basename()) + "_caller",
                                                params_.outstanding.value_or(std::numeric_limits<unsigned>::max()),
                                                [this](bus_slot& slot) { call_blocking(slot); });
  socket_.on_invalidation([this](sc_dt::uint64 first, sc_dt::uint64 last) { regions_.invalidate(first, last); });
}

sc_core::sc_time bus_channel::quantum() const {
  if (params_.mode == timing::approximate) return sc_core::SC_ZERO_TIME;
  return params_.quantum != sc_core::SC_ZERO_TIME ? params_.quantum : tlm::tlm_global_quantum::instance().get();
}

sc_core::sc_time bus_channel::first_free() const {
  if (has_unused_slot()) return sc_core::SC_ZERO_TIME;
  return free_.empty() ? maximum_time() : free_.front()->free_at;
}

/// One that is free at a time, or else as soon after as any is.
bus_slot& bus_channel::take_slot(const sc_core::sc_time& start) {
  if (free_.empty() || (free_.front()->free_at > start && has_unused_slot())) return slots_.emplace_back();
  std::pop_heap(free_.begin(), free_.end(), is_free_later);
  bus_slot& slot = *free_.back();
  free_.pop_back();
  return slot;
}

void bus_channel::send(const bus_burst& burst) {
  const sc_core::sc_time earliest = std::max(burst.of->arrival, sc_core::sc_time_stamp());
  bus_slot& slot = take_slot(earliest);
  slot.burst = burst;
  slot.start = std::max(slot.free_at, earliest);
  slot.payload = &pool_.get();
  set_request(slot);
  ++transactions_;
  sent_.insert(slot);
  if (callers_ != nullptr)
    callers_->ask(slot);
  else
    socket_.send(*slot.payload);
}

void bus_channel::set_request(bus_slot& slot) {
  const bus_burst& burst = slot.burst;
  const bus_request& request = *burst.of;
  fabric::set_attributes(*slot.payload, request.is_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, burst.address, burst.data(),
                         burst.bytes);
  fabric::owner_tag<bus_slot>::of(*slot.payload).job = &slot;
  if (request.byte_enables == nullptr) return;
  slot.byte_enables.resize(burst.bytes);
  for (unsigned i = 0; i < burst.bytes; ++i)
    slot.byte_enables[i] = request.is_enabled(burst.offset + i) ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
  slot.payload->set_byte_enable_ptr(slot.byte_enables.data());
  slot.payload->set_byte_enable_length(burst.bytes);
}

/// In a thread. The answer is handed on no further ahead of simulation time than the quantum allows.
void bus_channel::call_blocking(bus_slot& slot) {
  const sc_core::sc_time quantum = this->quantum();
  sc_core::sc_time delay = std::max(slot.start, sc_core::sc_time_stamp()) - sc_core::sc_time_stamp();
  socket_->b_transport(*slot.payload, delay);
  const bus_burst& burst = slot.burst;
  if (params_.direct_memory && slot.payload->is_dmi_allowed() && slot.payload->is_response_ok())
    regions_.ask(*socket_.operator->(), burst.of->is_write, burst.address, burst.data(), burst.bytes);
  if (delay > quantum) {
    sc_core::wait(delay - quantum);
    delay = quantum;
  }
  answered(*slot.payload, delay);
}

bool bus_channel::is_direct(const bus_burst& burst) const {
  return regions_.find(burst.of->is_write, burst.address, burst.bytes) != nullptr;
}

/// The latency counts once for a burst, as for a transaction.
sc_core::sc_time bus_channel::reach_directly(const bus_burst& burst) {
  const bool is_write = burst.of->is_write;
  const tlm::tlm_dmi& region = *regions_.find(is_write, burst.address, burst.bytes);
  copy_enabled(burst, region.get_dmi_ptr() + (burst.address - region.get_start_address()));
  ++direct_accesses_;
  return is_write ? region.get_write_latency() : region.get_read_latency();
}

void bus_channel::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  bus_slot* const owner = fabric::owner_tag<bus_slot>::of(payload).job;
  if (owner == nullptr || owner->payload != &payload)
    return fabric::error(fabric::report::initiator_phase, socket_.name(), "a response came to a request that is not on its way");
  bus_slot& slot = *owner;
  tlm::tlm_response_status status = payload.get_response_status();
  if (status == tlm::TLM_INCOMPLETE_RESPONSE) status = tlm::TLM_GENERIC_ERROR_RESPONSE;  // the target forgot it
  slot.free_at = sc_core::sc_time_stamp() + delay;
  std::exchange(slot.payload, nullptr)->release();
  sent_.erase(slot);
  free_.push_back(&slot);
  std::push_heap(free_.begin(), free_.end(), is_free_later);
  const sc_core::sc_time valid = slot.free_at;
  done_(bus_burst(slot.burst), status, valid);
}

}  // namespace tc::platform
