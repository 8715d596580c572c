// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/tlm_quantumkeeper.h>

/// What a platform has in the place of an instruction-set simulator: software compiled for the host, in a thread that runs ahead of
/// SystemC by up to a quantum, with direct access to memory where it is granted.
class cpu final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(cpu);
  tlm_utils::simple_initiator_socket<cpu> port{"port"};
  sc_core::sc_in<bool> interrupt{"interrupt"};

  cpu(const sc_core::sc_module_name& module_name, std::function<void()> software) : sc_module(module_name), software_(std::move(software)) {
    port.register_invalidate_direct_mem_ptr(this, &cpu::invalidate);
    SC_THREAD(run);
  }

  /// False: the bus answered with an error.
  bool access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    if (direct(command, address, data, bytes)) return true;
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(static_cast<unsigned char*>(data));
    payload.set_data_length(bytes);
    payload.set_streaming_width(bytes);
    sc_core::sc_time delay = time_.get_local_time();
    port->b_transport(payload, delay);
    time_.set(delay);
    if (payload.is_dmi_allowed()) ask_for_direct(payload);
    if (time_.need_sync()) time_.sync();
    return payload.is_response_ok();
  }

  void wait_for_interrupt() {
    time_.sync();
    while (!interrupt.read()) wait(interrupt.posedge_event());
    time_.reset();
  }

  /// Computes for so long.
  void pass(const sc_core::sc_time& time) {
    time_.inc(time);
    time_.sync();
  }

 private:
  void run() {
    time_.reset();
    software_();
    time_.sync();
    sc_core::sc_stop();
  }

  bool direct(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
    if (direct_.get_dmi_ptr() == nullptr || address < direct_.get_start_address() || address + bytes - 1 > direct_.get_end_address())
      return false;
    unsigned char* const memory = direct_.get_dmi_ptr() + (address - direct_.get_start_address());
    const bool reads = command == tlm::TLM_READ_COMMAND;
    std::memcpy(reads ? data : memory, reads ? memory : data, bytes);
    time_.inc(reads ? direct_.get_read_latency() : direct_.get_write_latency());
    return true;
  }

  void ask_for_direct(tlm::tlm_generic_payload& payload) {
    tlm::tlm_dmi granted;
    if (port->get_direct_mem_ptr(payload, granted) && granted.is_read_write_allowed()) direct_ = granted;
  }

  void invalidate(sc_dt::uint64, sc_dt::uint64) { direct_.init(); }

  std::function<void()> software_;
  tlm_utils::tlm_quantumkeeper time_;
  tlm::tlm_dmi direct_;
};
