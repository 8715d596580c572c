// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_pool.hpp>

#include "fabric/scripted_peers.hpp"
#include "statistics_of.hpp"

namespace tc::memory::test {

/// An initiator with a monitor on its link.
class monitored_peer final : public sc_core::sc_module {
 public:
  fabric::scripted_initiator peer{"peer"};
  fabric::base_protocol_monitor<> monitor{"monitor"};

  explicit monitored_peer(const sc_core::sc_module_name& name) : sc_module(name) { peer.socket.bind(monitor.target); }
};

/// What came back from one request.
struct answer {
  tlm::tlm_response_status status;
  std::uint64_t cycles;  ///< from now until it is valid
};

/// Sends requests to a memory and keeps the time in cycles of 1 ns.
class requester {
 public:
  std::array<unsigned char, 1024> data{};
  fabric::payload_pool pool;

  /// Begins a region by debug transport; true if the memory takes notice.
  bool begin_region(monitored_peer& from, std::uint64_t base, std::uint64_t bytes, const fabric::new_region::content& initial = {}) {
    tlm::tlm_generic_payload& p = payload(tlm::TLM_IGNORE_COMMAND, base, 0);
    auto* const region = new fabric::new_region;
    region->base = base;
    region->bytes = bytes;
    region->initial = initial;
    p.set_auto_extension(region);
    EXPECT_EQ(from.peer.socket->transport_dbg(p), 0U);
    const bool noted = region->noted;
    p.release();
    return noted;
  }

  /// A payload to be released by the caller.
  tlm::tlm_generic_payload& payload(tlm::tlm_command command, std::uint64_t address, unsigned length) {
    tlm::tlm_generic_payload& p = pool.get();
    fabric::set_attributes(p, command, address, data.data(), length);
    return p;
  }

  static answer send(monitored_peer& from, tlm::tlm_generic_payload& p, std::uint64_t delay_cycles) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay(static_cast<double>(delay_cycles), sc_core::SC_NS);
    const tlm::tlm_sync_enum result = from.peer.socket->nb_transport_fw(p, phase, delay);
    sc_assert(result == tlm::TLM_COMPLETED);
    return {p.get_response_status(), delay.value() / sc_core::sc_time(1, sc_core::SC_NS).value()};
  }

  answer read(monitored_peer& from, std::uint64_t address, unsigned length, std::uint64_t delay_cycles = 1) {
    return once(from, payload(tlm::TLM_READ_COMMAND, address, length), delay_cycles);
  }
  answer write(monitored_peer& from, std::uint64_t address, unsigned length, std::uint64_t delay_cycles = 1) {
    return once(from, payload(tlm::TLM_WRITE_COMMAND, address, length), delay_cycles);
  }

 private:
  static answer once(monitored_peer& from, tlm::tlm_generic_payload& p, std::uint64_t delay_cycles) {
    const answer a = send(from, p, delay_cycles);
    p.release();
    return a;
  }
};

}  // namespace tc::memory::test
