// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/device/gpu.hpp>
#include <tc/device/run_options.hpp>
#include <tc/platform/bus_interface.hpp>
#include <tc/platform/command_processor.hpp>
#include <tc/platform/memory_links.hpp>
#include <tc/platform/register_file.hpp>
#include <tc/platform/register_target.hpp>

namespace tc::platform {

/// The period of a clock of so many MHz, rounded to the time resolution of the simulation. Reports both numbers (report::device_clock) for
/// the object of this path; a resolution that is coarser than 1 % of the period is an error.
sc_core::sc_time clock_period(double clock_mhz, std::string_view object_path);

/// A GPU as a device of a virtual platform: software writes commands into a ring in the platform's memory and rings a doorbell; the device
/// reads them, runs their kernels on what is in that memory, cycle by cycle, and raises an interrupt. docs/platform.md is its manual, and
/// tcsim_device.h the header for software.
///
/// All that travels is base protocol. The device has a clock of its own, that of the machine.
class tensor_core_device final : public sc_core::sc_module {
 public:
  /// The registers: words of 32 bits, by address from 0 on. Accesses of another width are answered with TLM_BURST_ERROR_RESPONSE, other
  /// addresses with TLM_ADDRESS_ERROR_RESPONSE, writes to what is only read with TLM_COMMAND_ERROR_RESPONSE. They take no time, and act at
  /// the time that their delay says; what the device does about it begins with the next edge of its clock. Reading by debug transport has
  /// no effect.
  register_target control;
  /// High while a cause is set and enabled.
  sc_core::sc_out<bool> interrupt{"interrupt"};
  /// A rising edge does what writing control.reset does. May stay unbound.
  sc_core::sc_port<sc_core::sc_signal_in_if<bool>, 1, sc_core::SC_ZERO_OR_MORE_BOUND> reset{"reset"};

  struct params {
    config::machine machine{};
    bool timing_of_preset = false;  ///< all timing parameters of the machine are those of a preset, for hazard_policy::automatic
    device::unit_registry units{};  ///< makers of the units that the configuration may name
    bool monitors = false;          ///< check the machine's links to memory
    bus_interface::params memory{};
    command_processor::params commands{};
  };

  /// Reports an error if the time resolution is too coarse for the machine's clock.
  tensor_core_device(const sc_core::sc_module_name& name, const params& parameters);
  ~tensor_core_device() override;

  /// The device's sockets to the platform's memory.
  bus_interface& memory() { return *bus_; }
  /// Nothing happens until a register is written, or the reset input rises: the simulation may stop, or skip time.
  bool idle() const { return processor_->idle() && control.idle(); }
  /// Called when that has become so, in an edge of the device's clock.
  void on_idle(std::function<void()> idle) { on_idle_ = std::move(idle); }
  /// Called when a command has ended, in an edge of the device's clock.
  void on_done(std::function<void(const command_result&)> done) { on_done_ = std::move(done); }
  /// Of the machine's clock: 1 / clock_mhz, rounded to the time resolution.
  sc_core::sc_time period() const { return period_; }
  /// The machine. Kernels that the program submits to it run between those of commands.
  device::gpu& gpu() { return *gpu_; }

 private:
  void end_of_elaboration() override;
  device::run_options options_of(const params& parameters);
  register_target::registers register_callbacks();
  void write(std::uint32_t offset, std::uint32_t value);
  unsigned debug(tlm::tlm_generic_payload& payload);
  std::uint64_t cycle_after(const sc_core::sc_time& delay) const;
  void begin_reset();
  void drive_interrupt() { interrupt.write(registers_.interrupt()); }

  const sc_core::sc_time period_;
  memory_links links_;
  std::unique_ptr<device::gpu> gpu_;
  std::unique_ptr<bus_interface> bus_;
  register_file registers_;
  std::unique_ptr<command_processor> processor_;
  sc_core::sc_event changed_{"changed"};
  std::function<void()> on_idle_;
  std::function<void(const command_result&)> on_done_;
};

}  // namespace tc::platform
