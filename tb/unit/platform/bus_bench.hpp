// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/platform/bus_interface.hpp>

#include "stand_ins/random_memory.hpp"

namespace tc::platform::test {

using sc_core::SC_NS;
using sc_core::sc_time;

inline sc_time ns(double count) { return {count, SC_NS}; }

/// A bus with blocking transport that may run ahead by a quantum.
inline bus_parameters loose(const sc_time& quantum) {
  bus_parameters p;
  p.mode = timing::loose;
  p.quantum = quantum;
  return p;
}

/// What a bus interface lets through is limited on purpose.
inline void expect_limit() {
  sc_core::sc_report_handler::set_actions(fabric::report::bus_outstanding, sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
}

/// A unit of a machine that reads and writes, as a load-store unit does.
class machine_unit final : public sc_core::sc_module {
 public:
  struct answer {
    unsigned number;  ///< of the request, from 0 on
    sc_time valid;
    tlm::tlm_response_status status;
    std::vector<unsigned char> data;
  };

  fabric::base_protocol_initiator memory{"memory", [this](auto& payload, const auto& delay) { done(payload, delay); }};

  explicit machine_unit(const sc_core::sc_module_name& name) : sc_module(name) {}

  tlm::tlm_generic_payload& request(tlm::tlm_command command, sc_dt::uint64 address, std::vector<unsigned char> data) {
    tlm::tlm_generic_payload& payload = pool.get();
    sent& kept = sent_[&payload] = {count_++, std::move(data)};
    fabric::set_attributes(payload, command, address, kept.data.data(), static_cast<unsigned>(kept.data.size()));
    return payload;
  }
  void read(sc_dt::uint64 address, std::size_t bytes, const sc_time& delay = sc_core::SC_ZERO_TIME) {
    memory.send(request(tlm::TLM_READ_COMMAND, address, std::vector<unsigned char>(bytes)), delay);
  }
  void write(sc_dt::uint64 address, const std::vector<unsigned char>& data, const sc_time& delay = sc_core::SC_ZERO_TIME) {
    memory.send(request(tlm::TLM_WRITE_COMMAND, address, data), delay);
  }

  fabric::payload_pool pool;
  std::vector<answer> answers;  // in the order in which they came

 private:
  void done(tlm::tlm_generic_payload& payload, const sc_time& delay) {
    sent& request = sent_[&payload];
    answers.push_back({request.number, sc_core::sc_time_stamp() + delay, payload.get_response_status(), std::move(request.data)});
    payload.release();
  }

  struct sent {
    unsigned number;
    std::vector<unsigned char> data;
  };

  std::map<tlm::tlm_generic_payload*, sent> sent_;
  unsigned count_ = 0;
};

/// Units of a machine, a bus interface and a memory, with monitors on every link. A period is 1 ns.
struct bus_bench {
  bus_bench(unsigned units, const bus_parameters& parameters, stand_ins::random_memory::params memory_parameters)
      : unit("unit", units), bus("bus", parameters, clock), memory("memory", with_ports(memory_parameters, parameters.sockets)) {
    for (machine_unit& each : unit) watch(each.memory, bus.port);
    for (unsigned i = 0; i < parameters.sockets; ++i) watch(bus.bus[i], memory.port[i].socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  void run() {
    if (sc_core::sc_pending_activity()) sc_core::sc_start();
    EXPECT_TRUE(bus.idle());
    for (const auto& monitor : monitors) EXPECT_NO_THROW(monitor->check_end());
    for (machine_unit& each : unit) EXPECT_EQ(each.pool.live(), 0U);
  }

  fabric::clock_domain clock{"clock", ns(1)};
  sc_core::sc_vector<machine_unit> unit;
  bus_interface bus;
  stand_ins::random_memory memory;
  std::vector<std::unique_ptr<fabric::base_protocol_monitor<>>> monitors;

 private:
  static stand_ins::random_memory::params with_ports(stand_ins::random_memory::params p, unsigned ports) {
    p.ports = ports;
    return p;
  }
  template <class Initiator, class Target>
  void watch(Initiator& from, Target& to) {
    monitors.push_back(std::make_unique<fabric::base_protocol_monitor<>>(sc_core::sc_gen_unique_name("monitor")));
    from.bind(monitors.back()->target);
    monitors.back()->initiator.bind(to);
  }
};

}  // namespace tc::platform::test
