#include "global_memory.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/cache_hint.hpp>
#include <tc/fabric/fault_listener.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/fabric/wavefront.hpp>
#include <tc/memory/transfer.hpp>

namespace tc::memory {

global_memory::global_memory(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      port("port", fabric::access_rules::whole_address_space(), callbacks()),
      params_(parameters),
      clock_(clock),
      caches_(parameters.memory.hierarchy) {}

global_memory::~global_memory() = default;

memory_target::callbacks global_memory::callbacks() {
  return {[this](unsigned link, auto& payload, const auto& delay) { return access(link, payload, delay); },
          {},
          [this](auto& payload) { return debug(payload); },
          [this](auto& payload, auto& region) { return direct(payload, region); },
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
}

void global_memory::reset() {
  port.invalidate(0, std::numeric_limits<sc_dt::uint64>::max());
  storage_.reset();
  caches_.reset();
  reads_ = writes_ = bytes_read_ = bytes_written_ = errors_ = 0;
}

void global_memory::clear() {
  reset();
  storage_.clear();
}

sc_core::sc_time global_memory::access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  ++(payload.is_read() ? reads_ : writes_);
  (payload.is_read() ? bytes_read_ : bytes_written_) += fabric::wavefront::bytes_of(payload);
  if (params_.data && !storage_.contains(payload.get_address(), payload.get_data_length())) {
    ++errors_;
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  } else if (params_.data) {
    move(payload);
  }
  return clock_.delay_to(answer(link, payload, clock_.edge_at(delay)));
}

/// The cycle in which an access that arrives in a cycle is answered.
cycle_t global_memory::answer(unsigned link, const tlm::tlm_generic_payload& payload, cycle_t arrival) {
  if (!params_.memory.hierarchy.enabled) return arrival + params_.memory.latency_cycles;
  const auto* const hint = payload.get_extension<fabric::cache_hint>();
  memory_hierarchy::request request;
  request.sm = link / params_.links_per_sm;
  request.address = payload.get_address();
  request.bytes = payload.get_data_length();
  request.arrival = arrival;
  request.bypass_l1 = hint != nullptr && hint->bypass_l1;
  return payload.is_read() ? caches_.read(request) : caches_.write(request);
}

unsigned global_memory::debug(tlm::tlm_generic_payload& payload) {
  if (!storage_.contains(payload.get_address(), payload.get_data_length())) return 0;
  move(payload);
  return payload.get_data_length();
}

void global_memory::move(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  for (unsigned offset = 0; offset < length;) {
    const std::uint64_t left_of_page = paged_storage::page_bytes - (address + offset) % paged_storage::page_bytes;
    const auto count = static_cast<unsigned>(std::min<std::uint64_t>(left_of_page, length - offset));
    transfer(payload, offset, storage_.at(address + offset), count);
    offset += count;
  }
}

/// The part of the address's page that exists around it.
bool global_memory::direct(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
  const std::uint64_t address = payload.get_address();
  if (!params_.data || params_.memory.hierarchy.enabled || !storage_.contains(address, 1)) return false;
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
  sink.count("reads", reads_, "transactions", "Read transactions");
  sink.count("writes", writes_, "transactions", "Write transactions");
  sink.bytes("bytes_read", bytes_read_, "Bytes read");
  sink.bytes("bytes_written", bytes_written_, "Bytes written");
  sink.count("address_errors", errors_, "transactions", "Transactions outside every region");
  if (params_.memory.hierarchy.enabled) caches_.collect(sink);
}

}  // namespace tc::memory
