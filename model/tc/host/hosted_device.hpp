// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/config/machine.hpp>
#include <tc/fabric/protocols.hpp>
#include <tc/host/host_memory.hpp>
#include <tc/platform/tensor_core_device.hpp>

namespace tc::host {

/// A device with all that it needs around it: its memory, a listener at its interrupt, an initiator at its registers.
class hosted_device final : public sc_core::sc_module {
 public:
  struct callbacks {
    std::function<void(bool level)> interrupt;
    std::function<void(const platform::command_result&)> done;
    std::function<void()> idle;
  };

  SC_HAS_PROCESS(hosted_device);
  hosted_device(const sc_core::sc_module_name& name, const config::machine& machine, const tcsim_options& options);
  ~hosted_device() override;

  /// Any of them may be empty.
  void set_callbacks(callbacks all) { callbacks_ = std::move(all); }
  const callbacks& all_callbacks() const { return callbacks_; }

  /// A register access over the control socket; false if it is answered with an error. The elaboration must have ended.
  bool read_register(std::uint32_t offset, std::uint32_t& value);
  bool write_register(std::uint32_t offset, std::uint32_t value);

  host_memory& memory() { return memory_; }
  bool idle() const { return device_.idle(); }
  sc_core::sc_time period() const { return device_.period(); }

 private:
  bool access(tlm::tlm_command command, std::uint32_t offset, unsigned char (&bytes)[4]);
  void on_interrupt();

  tlm_utils::simple_initiator_socket<hosted_device, fabric::base_link_width_bits> registers_{"registers"};
  platform::tensor_core_device device_;
  host_memory memory_;
  sc_core::sc_signal<bool> interrupt_{"interrupt"};
  callbacks callbacks_;
};

}  // namespace tc::host
