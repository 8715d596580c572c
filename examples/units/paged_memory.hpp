// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/fabric/statistics.hpp>
#include <tc/links/unit_makers.hpp>

/// A global memory behind a page table and a bus of limited width, on the convenience sockets of TLM-2.0: nothing of the model is in it but
/// the statistics. A page is there from its first use on.
class paged_memory final : public sc_core::sc_module, public tc::fabric::statistics_source {
 public:
  static constexpr unsigned page_bytes = 4096, bytes_per_cycle = 64, latency_cycles = 250, walk_cycles = 60, buffered_pages = 16;

  sc_core::sc_vector<tlm_utils::passthrough_target_socket<paged_memory>> link{"link"};  ///< in the order of the site

  paged_memory(const sc_core::sc_module_name& module_name, const tc::links::global_memory_site& site)
      : sc_module(module_name), data_(site.data), cycle_(site.clock.period()) {
    link.init(site.sockets());
    for (auto& each : link) {
      each.register_nb_transport_fw(this, &paged_memory::access);
      each.register_transport_dbg(this, &paged_memory::debug);
    }
  }

  void collect(tc::fabric::statistics_sink& sink) const override {
    sink.count("pages", pages_.size(), "pages", "Pages that somebody has used");
    sink.count("page_walks", walks_, "walks", "Accesses to a page that the buffer of translations did not hold");
    sink.bytes("bytes_carried", bytes_carried_, "Bytes that the bus has carried");
  }

 private:
  using page = std::array<unsigned char, page_bytes>;

  /// Takes effect in the call, and is answered when it has gone through the page table, the bus has carried its bytes, one access after the
  /// other, and the latency is over.
  tlm::tlm_sync_enum access(tlm::tlm_generic_payload& payload, tlm::tlm_phase&, sc_core::sc_time& delay) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_COMPLETED;
    if (data_) transfer(payload);
    sc_core::sc_time arrival = sc_core::sc_time_stamp() + delay;
    if (!is_buffered(payload.get_address() / page_bytes)) arrival += walk_cycles * cycle_;
    bus_free_ = std::max(bus_free_, arrival) + (payload.get_data_length() + bytes_per_cycle - 1) / bytes_per_cycle * cycle_;
    bytes_carried_ += payload.get_data_length();
    delay = bus_free_ + latency_cycles * cycle_ - sc_core::sc_time_stamp();
    return tlm::TLM_COMPLETED;
  }

  unsigned debug(tlm::tlm_generic_payload& payload) {
    if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return 0;
    transfer(payload);
    return payload.get_data_length();
  }

  void transfer(tlm::tlm_generic_payload& payload) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      const std::uint64_t address = payload.get_address() + i;
      unsigned char& byte = pages_[address / page_bytes][address % page_bytes];
      if (payload.is_read())
        payload.get_data_ptr()[i] = byte;
      else
        byte = payload.get_data_ptr()[i];
    }
  }

  bool is_buffered(std::uint64_t number) {
    std::uint64_t& held = buffer_[number % buffered_pages];
    if (held == number + 1) return true;
    held = number + 1;
    ++walks_;
    return false;
  }

  const bool data_;
  const sc_core::sc_time cycle_;
  std::map<std::uint64_t, page> pages_;
  std::array<std::uint64_t, buffered_pages> buffer_{};  // number of the page plus 1; 0: none
  sc_core::sc_time bus_free_;
  std::uint64_t walks_ = 0, bytes_carried_ = 0;
};
