// SPDX-License-Identifier: Apache-2.0
#include "global_memory.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/memory/memory_target.hpp>

namespace tc::memory {

global_memory::global_memory(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      port("port", fabric::access_rules::whole_address_space(), callbacks()),
      params_(parameters),
      clock_(clock),
      storage_(parameters.memory.max_bytes / paged_storage::page_bytes),
      caches_(parameters.memory.hierarchy),
      jitter_(parameters.jitter.seed) {}

global_memory::~global_memory() = default;

memory_target::callbacks global_memory::callbacks() {
  return {[this](unsigned link, auto& payload, const auto& delay) { return access(link, payload, delay); },
          [this](auto& payload) { return debug(payload); }, [this](auto& payload, auto& region) { return direct(payload, region); },
          [this](const auto& region) { add_region(region.base, region.bytes, region.initial); }};
}

void global_memory::add_region(std::uint64_t base, std::uint64_t bytes, paged_storage::content initial) {
  if (bytes == 0 || base + bytes < base) {
    fabric::fault(
        fabric::report::memory_region, *this,
        fmt::format("a region of {} bytes at {:#x} {}", bytes, base, bytes == 0 ? "is empty" : "passes the end of the address space"));
    return;
  }
  storage_.add_region(base, bytes, std::move(initial));
  undefined_.define(base, bytes);
}

void global_memory::reset() {
  port.invalidate(0, std::numeric_limits<sc_dt::uint64>::max());
  has_lent_pages_ = false;
  storage_.reset();
  undefined_.clear();
  caches_.reset();
  reads_ = writes_ = bytes_read_ = bytes_written_ = errors_ = 0;
}

void global_memory::clear() {
  reset();
  storage_.clear();
}

sc_core::sc_time global_memory::access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  ++(payload.is_write() ? writes_ : reads_);
  (payload.is_write() ? bytes_written_ : bytes_read_) += fabric::wavefront::bytes_of(payload);
  if (params_.data && !storage_.contains(payload.get_address(), payload.get_data_length())) {
    ++errors_;
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else if (params_.data && !storage_.has_room(payload.get_address(), payload.get_data_length())) {
    report_full(payload.get_address());
    payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  } else if (params_.data) {
    if (touched_ != nullptr) touch(payload);
    move(payload);
  }
  const auto* const hint = payload.get_extension<fabric::cache_hint>();
  memory_hierarchy::request request;
  request.sm = link / params_.links_per_sm;
  request.address = payload.get_address();
  request.bytes = payload.get_data_length();
  request.arrival = clock_.edge_at(delay);
  request.bypass_l1 = hint != nullptr && hint->bypass_l1;
  request.goes_on = hint != nullptr && hint->goes_on;
  return clock_.delay_to(answer(payload.is_write(), request));
}

void global_memory::report_full(std::uint64_t address) const {
  fabric::fault(fabric::report::memory_full, *this, clock_.cycle(),
                fmt::format("{} pages of {} bytes are in use, and global_memory.max_bytes = {} has no room for that of {:#x}",
                            storage_.pages(), paged_storage::page_bytes, params_.memory.max_bytes, address));
}

/// The cycle in which an access is answered.
cycle_t global_memory::answer(bool is_write, const memory_hierarchy::request& request) {
  const cycle_t cycle = undelayed_answer(is_write, request);
  return jitter_.is_on() ? cycle + jitter_.draw(params_.jitter.latency_cycles, request.sm, request.address, request.arrival) : cycle;
}

cycle_t global_memory::undelayed_answer(bool is_write, const memory_hierarchy::request& request) {
  if (!params_.memory.hierarchy.enabled) return request.arrival + params_.memory.latency_cycles;
  return is_write ? caches_.write(request) : caches_.read(request);
}

unsigned global_memory::debug(tlm::tlm_generic_payload& payload) {
  if (!storage_.contains(payload.get_address(), payload.get_data_length())) return 0;
  if (touched_ != nullptr && payload.get_extension<fabric::warp_tag>() != nullptr) touch(payload);
  if (payload.is_read()) {
    storage_.copy(payload.get_address(), payload.get_data_ptr(), payload.get_data_length());
    tell_undefined(payload);
  } else {
    if (!storage_.has_room(payload.get_address(), payload.get_data_length())) return 0;
    move(payload);
  }
  return payload.get_data_length();
}

/// Calls visit(offset, storage, count) for the parts of some bytes that lie in one page each.
template <class Visit>
void global_memory::for_each_page(std::uint64_t address, unsigned bytes, const Visit& visit) {
  for (unsigned offset = 0; offset < bytes;) {
    const std::uint64_t left_of_page = paged_storage::page_bytes - (address + offset) % paged_storage::page_bytes;
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(left_of_page, bytes - offset));
    visit(offset, storage_.at(address + offset), count);
    offset += count;
  }
}

void global_memory::move(tlm::tlm_generic_payload& payload) {
  if (payload.is_write())
    mark(payload);
  else
    tell_undefined(payload);
  for_each_page(payload.get_address(), payload.get_data_length(),
                [&payload](unsigned offset, unsigned char* storage, unsigned count) { transfer(payload, offset, storage, count); });
}

void global_memory::keep_touched_bytes() {
  if (params_.data) touched_ = std::make_unique<touched>();
}

void global_memory::touch(const tlm::tlm_generic_payload& payload) {
  touched_bytes& bytes = payload.is_write() ? touched_->written : touched_->read;
  if (payload.get_byte_enable_ptr() == nullptr) return bytes.add(payload.get_address(), payload.get_data_length());
  for (unsigned i = 0; i < payload.get_data_length(); ++i)
    if (is_enabled(payload, i)) bytes.add(payload.get_address() + i, 1);
}

void global_memory::mark(const tlm::tlm_generic_payload& payload) {
  const auto* const undefined = payload.get_extension<fabric::undefined_bytes>();
  const unsigned char* const flags = undefined != nullptr && undefined->any ? undefined->flags.data() : nullptr;
  if (payload.get_byte_enable_ptr() == nullptr) return mark(payload.get_address(), payload.get_data_length(), flags);
  for (unsigned i = 0; i < payload.get_data_length(); ++i)
    if (is_enabled(payload, i)) mark(payload.get_address() + i, 1, flags == nullptr ? nullptr : flags + i);
}

/// Bytes are written; those with a flag have no value. Null: all have one.
void global_memory::mark(std::uint64_t address, unsigned bytes, const unsigned char* undefined) {
  if (undefined == nullptr) {
    if (!undefined_.is_empty()) undefined_.define(address, bytes);
    return;
  }
  if (std::exchange(has_lent_pages_, false)) port.invalidate(0, std::numeric_limits<sc_dt::uint64>::max());
  undefined_.write(address, bytes, undefined);
}

/// To an initiator that wants to know.
void global_memory::tell_undefined(tlm::tlm_generic_payload& payload) const {
  if (undefined_.is_empty()) return;
  auto* const wanted = payload.get_extension<fabric::undefined_bytes>();
  if (wanted == nullptr || !undefined_.any(payload.get_address(), payload.get_data_length())) return;
  wanted->any = true;
  undefined_.copy(payload.get_address(), payload.get_data_length(), wanted->flags);
}

/// The part of the address's page that exists around it.
bool global_memory::direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
  const std::uint64_t address = payload.get_address();
  if (!params_.data || touched_ != nullptr || params_.memory.hierarchy.enabled || jitter_.is_on() || !undefined_.is_empty()) return false;
  if (!storage_.contains(address, 1) || !storage_.has_room(address, 1)) return false;
  has_lent_pages_ = true;
  const std::uint64_t page = address / paged_storage::page_bytes * paged_storage::page_bytes;
  const std::uint64_t first = std::max(page, storage_.region_begin(address));
  const std::uint64_t last = std::min(page + paged_storage::page_bytes - 1, address + storage_.available(address) - 1);
  region.set_dmi_ptr(storage_.at(first));
  region.set_start_address(first);
  region.set_end_address(last);
  region.set_granted_access(tlm::tlm_dmi::DMI_ACCESS_READ_WRITE);
  region.set_read_latency(params_.memory.latency_cycles * clock_.period());
  region.set_write_latency(params_.memory.latency_cycles * clock_.period());
  return true;
}

void global_memory::collect(fabric::statistics_sink& sink) const {
  if (params_.data) {  // else some accesses are no transactions
    sink.count("reads", reads_, "transactions", "Read transactions");
    sink.count("writes", writes_, "transactions", "Write transactions");
  }
  sink.bytes("bytes_read", bytes_read_, "Bytes read");
  sink.bytes("bytes_written", bytes_written_, "Bytes written");
  sink.count("address_errors", errors_, "transactions", "Transactions outside every region");
  if (params_.memory.hierarchy.enabled) caches_.collect(sink);
}

}  // namespace tc::memory
