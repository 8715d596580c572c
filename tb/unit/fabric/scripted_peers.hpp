// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <functional>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>

namespace tc::fabric {

/// An initiator that does what the test says, legal or not.
class scripted_initiator final : public sc_core::sc_module {
 public:
  using reaction = std::function<tlm::tlm_sync_enum(tlm::tlm_generic_payload&, tlm::tlm_phase&, sc_core::sc_time&)>;

  tlm_utils::simple_initiator_socket<scripted_initiator> socket{"socket"};
  reaction on_backward = [](auto&, auto&, auto&) { return tlm::TLM_COMPLETED; };
  unsigned invalidations = 0;
  std::function<void()> on_invalidation = [] {};

  explicit scripted_initiator(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_bw(this, &scripted_initiator::backward);
    socket.register_invalidate_direct_mem_ptr(this, &scripted_initiator::invalidated);
  }

  /// One forward call; phase and delay are lost.
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    return socket->nb_transport_fw(payload, phase, delay);
  }

 private:
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return on_backward(payload, phase, delay);
  }
  void invalidated(sc_dt::uint64, sc_dt::uint64) {
    ++invalidations;
    on_invalidation();
  }
};

/// A target that does what the test says, legal or not; by default it completes every request at once.
class scripted_target final : public sc_core::sc_module {
 public:
  using reaction = scripted_initiator::reaction;

  tlm_utils::passthrough_target_socket<scripted_target> socket{"socket"};
  reaction on_forward = [](auto& payload, auto&, auto&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  };
  std::function<void(tlm::tlm_generic_payload&, sc_core::sc_time&)> on_blocking = [](auto& payload, auto&) {
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  };
  unsigned debug_bytes = 0;
  std::function<void(tlm::tlm_generic_payload&)> on_debug = [](auto&) {};
  /// Grants a page around 0x100.
  std::function<bool(tlm::tlm_generic_payload&, tlm::tlm_dmi&)> on_direct = [this](auto&, auto& region) {
    region.set_dmi_ptr(page_.data());
    region.set_start_address(0x100);
    region.set_end_address(0x100 + page_.size() - 1);
    region.allow_read_write();
    return true;
  };

  explicit scripted_target(const sc_core::sc_module_name& name) : sc_module(name) {
    socket.register_nb_transport_fw(this, &scripted_target::forward);
    socket.register_b_transport(this, &scripted_target::blocking);
    socket.register_transport_dbg(this, &scripted_target::debug);
    socket.register_get_direct_mem_ptr(this, &scripted_target::direct_memory);
  }

  /// One backward call; phase and delay are lost.
  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase, sc_core::sc_time delay = sc_core::SC_ZERO_TIME) {
    return socket->nb_transport_bw(payload, phase, delay);
  }

 private:
  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    return on_forward(payload, phase, delay);
  }
  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) { on_blocking(payload, delay); }
  unsigned debug(tlm::tlm_generic_payload& payload) {
    on_debug(payload);
    return debug_bytes;
  }
  bool direct_memory(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) { return on_direct(payload, region); }

  std::array<unsigned char, 256> page_{};
};

}  // namespace tc::fabric
