// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <unordered_map>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_target_socket.h>

namespace tc::stand_ins {

/// The smallest memory that a user of the library might bring: blocking and debug transport on convenience sockets, which make the rest of
/// the base protocol from them. It waits out delays and its latency, and never looks at an extension.
class blocking_memory final : public sc_core::sc_module {
 public:
  struct params {
    unsigned ports = 1;
    sc_core::sc_time latency{};
    sc_dt::uint64 bytes = std::numeric_limits<sc_dt::uint64>::max();  ///< addresses from here on do not exist
  };
  using socket = tlm_utils::simple_target_socket<blocking_memory>;

  sc_core::sc_vector<socket> port{"port"};

  blocking_memory(const sc_core::sc_module_name& module_name, const params& parameters) : sc_module(module_name), params_(parameters) {
    port.init(parameters.ports);
    for (socket& each : port) {
      each.register_b_transport(this, &blocking_memory::blocking);
      each.register_transport_dbg(this, &blocking_memory::debug);
    }
  }

 private:
  void blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    wait(delay + params_.latency);
    delay = sc_core::SC_ZERO_TIME;
    payload.set_response_status(transfer(payload) ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }

  unsigned debug(tlm::tlm_generic_payload& payload) { return transfer(payload) ? payload.get_data_length() : 0; }

  bool transfer(tlm::tlm_generic_payload& payload) {
    const sc_dt::uint64 first = payload.get_address();
    const unsigned length = payload.get_data_length();
    if (first > params_.bytes || length > params_.bytes - first) return false;
    const unsigned char* const enables = payload.get_byte_enable_ptr();
    for (unsigned i = 0; i < length; ++i) {
      if (enables != nullptr && enables[i % payload.get_byte_enable_length()] != TLM_BYTE_ENABLED) continue;
      if (payload.is_read()) payload.get_data_ptr()[i] = bytes_[first + i];
      if (payload.is_write()) bytes_[first + i] = payload.get_data_ptr()[i];
    }
    return true;
  }

  const params params_;
  std::unordered_map<sc_dt::uint64, unsigned char> bytes_;
};

}  // namespace tc::stand_ins
