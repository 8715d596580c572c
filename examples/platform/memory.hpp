// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

/// A memory with a latency and a width, which grants direct access to all of itself. It completes every request in the call, with the time
/// that it takes in the annotated delay.
class memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<memory> port{"port"};

  memory(const sc_core::sc_module_name& module_name, std::size_t bytes, const sc_core::sc_time& latency)
      : sc_module(module_name), bytes_(bytes), latency_(latency) {
    port.register_b_transport(this, &memory::transport);
    port.register_nb_transport_fw(this, &memory::forward);
    port.register_transport_dbg(this, &memory::debug);
    port.register_get_direct_mem_ptr(this, &memory::direct);
  }

 private:
  void transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const sc_core::sc_time now = sc_core::sc_time_stamp(), begin = std::max(now + delay, free_at_);
    free_at_ = begin + payload.get_data_length() * byte_;
    delay = begin - now + latency_;
    if (payload.get_byte_enable_ptr() != nullptr) return payload.set_response_status(tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
    if (payload.get_streaming_width() < payload.get_data_length()) return payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    const bool moved = payload.get_command() == tlm::TLM_IGNORE_COMMAND || debug(payload) == payload.get_data_length();
    payload.set_dmi_allowed(moved);
    payload.set_response_status(moved ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }

  tlm::tlm_sync_enum forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase == tlm::BEGIN_REQ) transport(payload, delay);
    return tlm::TLM_COMPLETED;
  }

  unsigned debug(tlm::tlm_generic_payload& payload) {
    const sc_dt::uint64 first = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (first > bytes_.size() || length > bytes_.size() - first) return 0;
    if (payload.is_read()) std::memcpy(payload.get_data_ptr(), &bytes_[first], length);
    if (payload.is_write()) std::memcpy(&bytes_[first], payload.get_data_ptr(), length);
    return length;
  }

  bool direct(tlm::tlm_generic_payload&, tlm::tlm_dmi& access) {
    access.allow_read_write();
    access.set_dmi_ptr(bytes_.data());
    access.set_start_address(0);
    access.set_end_address(bytes_.size() - 1);
    access.set_read_latency(latency_);
    access.set_write_latency(latency_);
    return true;
  }

  std::vector<unsigned char> bytes_;
  const sc_core::sc_time latency_;
  const sc_core::sc_time byte_{10, sc_core::SC_PS};  // 100 bytes in a nanosecond
  sc_core::sc_time free_at_;
};
