// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

/// An address decoder: any number of initiators, which may call it blocking or not, and of targets, each of which sees addresses from 0 on.
/// The targets of this platform complete every request in the call, so nothing travels backward and several initiators may call one.
class bus final : public sc_core::sc_module {
 public:
  sc_core::sc_vector<tlm_utils::simple_target_socket_tagged<bus>> from;   ///< bind initiators
  sc_core::sc_vector<tlm_utils::simple_initiator_socket_tagged<bus>> to;  ///< bind targets, in the order of the map

  struct region {
    std::uint64_t base, bytes;
  };

  bus(const sc_core::sc_module_name& module_name, unsigned initiators, const std::vector<region>& map, const sc_core::sc_time& latency)
      : sc_module(module_name), from("from", initiators), to("to", static_cast<unsigned>(map.size())), map_(map), latency_(latency) {
    for (unsigned i = 0; i < initiators; ++i) {
      from[i].register_b_transport(this, &bus::transport, static_cast<int>(i));
      from[i].register_nb_transport_fw(this, &bus::forward, static_cast<int>(i));
      from[i].register_transport_dbg(this, &bus::debug, static_cast<int>(i));
      from[i].register_get_direct_mem_ptr(this, &bus::direct, static_cast<int>(i));
    }
    for (unsigned i = 0; i < map.size(); ++i) to[i].register_invalidate_direct_mem_ptr(this, &bus::invalidate, static_cast<int>(i));
  }

 private:
  /// Which target has an address; the number of targets if none has.
  unsigned target_of(std::uint64_t address) const {
    unsigned target = 0;
    while (target < map_.size() && address - map_[target].base >= map_[target].bytes) ++target;
    return target;
  }

  void transport(int, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned target = target_of(address);
    delay += latency_;
    if (target == map_.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    payload.set_address(address - map_[target].base);
    to[target]->b_transport(payload, delay);
    payload.set_address(address);
  }

  tlm::tlm_sync_enum forward(int, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const std::uint64_t address = payload.get_address();
    const unsigned target = target_of(address);
    delay += latency_;
    if (target == map_.size()) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return tlm::TLM_COMPLETED;
    }
    payload.set_address(address - map_[target].base);
    const tlm::tlm_sync_enum result = to[target]->nb_transport_fw(payload, phase, delay);
    payload.set_address(address);
    return result;
  }

  unsigned debug(int, tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned target = target_of(address);
    if (target == map_.size()) return 0;
    payload.set_address(address - map_[target].base);
    const unsigned bytes = to[target]->transport_dbg(payload);
    payload.set_address(address);
    return bytes;
  }

  bool direct(int, tlm::tlm_generic_payload& payload, tlm::tlm_dmi& access) {
    const std::uint64_t address = payload.get_address();
    const unsigned target = target_of(address);
    if (target == map_.size()) return false;
    payload.set_address(address - map_[target].base);
    const bool granted = to[target]->get_direct_mem_ptr(payload, access);
    payload.set_address(address);
    const region& seen = map_[target];
    const std::uint64_t last = seen.bytes - 1;
    access.set_start_address(seen.base + std::min<std::uint64_t>(access.get_start_address(), last));
    access.set_end_address(seen.base + std::min<std::uint64_t>(access.get_end_address(), last));
    access.set_read_latency(access.get_read_latency() + latency_);
    access.set_write_latency(access.get_write_latency() + latency_);
    return granted;
  }

  void invalidate(int target, sc_dt::uint64 first, sc_dt::uint64 last) {
    const region& seen = map_[static_cast<unsigned>(target)];
    const std::uint64_t most = seen.bytes - 1;
    for (unsigned i = 0; i < from.size(); ++i)
      from[i]->invalidate_direct_mem_ptr(seen.base + std::min<std::uint64_t>(first, most), seen.base + std::min<std::uint64_t>(last, most));
  }

  const std::vector<region> map_;
  const sc_core::sc_time latency_;
};
