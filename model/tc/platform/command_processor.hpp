// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <systemc>

#include <tc/accounting/run_result.hpp>
#include <tc/device/gpu.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/platform/command_descriptor.hpp>
#include <tc/platform/command_reader.hpp>
#include <tc/platform/memory_transfers.hpp>
#include <tc/platform/register_file.hpp>

namespace tc::platform {

/// A command that has ended, for the program that holds the device.
struct command_result {
  completion_record record;
  command_opcode opcode = command_opcode::no_operation;
  std::string kernel;  ///< its name; empty: none ran
  std::string text;    ///< why the command did not end well; empty: it did
};

/// Runs the commands of the ring one after the other. While one runs, those behind it are read and their kernels made.
///
/// A command begins in an edge of the machine's clock. When its kernel has ended, all its stores are acknowledged; then the completion
/// record is written, and when that is acknowledged too, the command has ended.
class command_processor final : public sc_core::sc_module, private fabric::clocked {
 public:
  struct params {
    command_reader::params reader{};
    unsigned outstanding = 8;  ///< most requests to memory at a time, 1 or more, for descriptors, traces and completion records
  };
  struct callbacks {
    std::function<void()> changed;  ///< the registers have
    std::function<void(const command_result&)> done;
    std::function<void()> idle;
    std::function<bool()> is_bus_idle;
  };

  /// Takes the GPU's callbacks on_kernel_end and on_idle. Reports parameters with which no command is ever read. What is given must outlive
  /// the processor.
  command_processor(const sc_core::sc_module_name& name, const params& parameters, device::gpu& gpu, register_file& registers,
                    callbacks callbacks);
  ~command_processor() override;

  /// To memory.
  fabric::base_protocol_initiator& port() { return transfers_.port; }

  /// Registers have been written; takes effect in the next edge.
  void look();
  /// If the device is idle in the next edge, that is told, though it may have been before: not for those who knew of an access to come.
  void tell_idle_again();
  /// Forgets all commands and gives up the kernel that runs. The registers have their reset values already; they leave the state
  /// `resetting` when all that is on its way has been answered.
  void reset();
  /// Nothing happens until registers are written.
  bool idle() const;

 private:
  enum class stage { none, running, recording };

  void evaluate(fabric::cycle_t cycle) override;

  void change_registers();
  void check_ring();
  void fail_queue(const std::string& text);
  void begin(fabric::cycle_t cycle);
  void submit(fabric::cycle_t cycle);
  void keep_time_limit(fabric::cycle_t cycle);
  void kernel_ended(const accounting::ended_kernel& kernel);
  void end_kernel();
  void end(command_status status, const std::string& text);
  void recorded(bool ok);
  void drain();
  void tell_idle();
  bool has_work() const;

  device::gpu& gpu_;
  register_file& registers_;
  const callbacks callbacks_;
  fabric::clock_domain& clock_;
  const std::size_t id_;
  memory_transfers transfers_;
  command_reader reader_;

  stage stage_ = stage::none;
  queued_command current_{};
  command_result result_{};
  std::array<std::uint8_t, layout::completion_bytes> record_{};
  std::uint32_t kernel_ = 0;                       // number of the current command's
  std::optional<accounting::ended_kernel> ended_;  // it has
  std::optional<fabric::cycle_t> deadline_;        // the cycle in which it is given up
  bool is_late_ = false;                           // it was

  bool must_abandon_ = false, was_idle_ = true;
  fabric::cycle_t shown_ = 0;  // from this cycle on, the interrupt is what the registers say
};

}  // namespace tc::platform
