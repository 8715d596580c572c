// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/protocols.hpp>

namespace tc::fabric {

/// Sits between the two ends of a link of any protocol and passes every call in both directions, as it is. Monitors and recorders derive
/// from it, and do what they do around the calls.
template <class Protocol, unsigned Buswidth = base_link_width_bits>
class link_tap : public sc_core::sc_module {
 public:
  using payload_type = typename Protocol::tlm_payload_type;

  tlm_utils::simple_initiator_socket<link_tap, Buswidth, Protocol> initiator{"initiator"};       ///< towards the link's target
  tlm_utils::passthrough_target_socket_optional<link_tap, Buswidth, Protocol> target{"target"};  ///< towards the link's initiator

 protected:
  explicit link_tap(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    target.register_nb_transport_fw(this, &link_tap::forward);
    target.register_b_transport(this, &link_tap::blocking);
    target.register_transport_dbg(this, &link_tap::debug);
    target.register_get_direct_mem_ptr(this, &link_tap::direct_memory);
    initiator.register_nb_transport_bw(this, &link_tap::backward);
    initiator.register_invalidate_direct_mem_ptr(this, &link_tap::invalidate_direct_memory);
  }

  virtual tlm::tlm_sync_enum forward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return initiator->nb_transport_fw(payload, phase, delay);
  }
  virtual tlm::tlm_sync_enum backward(payload_type& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return target->nb_transport_bw(payload, phase, delay);
  }
  virtual void blocking(payload_type& payload, sc_core::sc_time& delay) { initiator->b_transport(payload, delay); }
  virtual unsigned debug(payload_type& payload) { return initiator->transport_dbg(payload); }
  virtual bool direct_memory(payload_type& payload, tlm::tlm_dmi& region) { return initiator->get_direct_mem_ptr(payload, region); }
  virtual void invalidate_direct_memory(sc_dt::uint64 first, sc_dt::uint64 last) { target->invalidate_direct_mem_ptr(first, last); }
};

}  // namespace tc::fabric
