// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/platform/command_layout.hpp>
#include <tc/platform/device_registers.hpp>

namespace tc::platform {

/// The registers of tensor_core_device: what software wrote, what the device tells, and what follows from it. No time in it.
class register_file {
 public:
  /// What the device must do when software has written.
  enum class effect {
    none,
    look,   ///< at the queue: it may have work
    reset,  ///< all of it; the registers have their reset values already
  };

  register_file(std::uint32_t architecture, std::uint32_t capabilities) : architecture_(architecture), capabilities_(capabilities) {}

  /// The value of a register, by its offset; `cycle` is that of the machine's clock, `idle` what the device is. Reading cycles_low latches
  /// cycles_high.
  std::uint32_t read(std::uint32_t offset, std::uint64_t cycle, bool idle);
  /// The same without an effect.
  std::uint32_t peek(std::uint32_t offset, std::uint64_t cycle, bool idle) const;
  /// Whether software may write a register.
  static bool is_writable(std::uint32_t offset);
  /// Whether it always reads the same.
  static bool is_constant(std::uint32_t offset);
  effect write(std::uint32_t offset, std::uint32_t value);

  /// Values after construction, but for the start of the cycle counter; the device is being reset.
  void begin_reset(std::uint64_t cycle);
  /// Commands can run again.
  void end_reset();
  /// A kernel runs, or does no longer.
  void set_running(bool running) { running_ = running; }
  /// The oldest command has ended.
  void end_command(std::uint32_t identifier, command_status status, bool interrupts);
  /// The queue cannot be used until a reset.
  void fail_queue();

  bool resetting() const { return resetting_; }
  bool interrupt() const { return (cause_ & interrupt_enable_) != 0; }
  std::uint64_t time_limit() const { return time_limit_; }
  /// Commands that were rung and have not ended, of a queue that can be used.
  std::uint32_t queued() const;
  /// Whether commands may begin.
  bool enabled() const { return enabled_ && !queue_error_; }
  /// What is wrong with the ring or the tail that was rung, until fail_queue(); empty: nothing.
  const std::string& ring_mistake() const { return ring_mistake_; }
  /// Address of the descriptor of a queued command, 0 is the oldest.
  std::uint64_t descriptor_address(std::uint32_t index) const;

 private:
  std::uint32_t status(bool idle) const;
  /// Entries from the oldest command to an index of the ring.
  std::uint32_t behind_head(std::uint32_t index) const { return index >= head_ ? index - head_ : ring_entries_ - head_ + index; }
  void ring(std::uint32_t tail);
  void write_ring(std::uint32_t offset, std::uint32_t value);

  std::uint32_t architecture_, capabilities_;
  bool enabled_ = false, running_ = false, resetting_ = false, faulted_ = false, queue_error_ = false;
  std::uint32_t interrupt_enable_ = 0, cause_ = 0;
  std::uint64_t first_cycle_ = 0;
  std::uint32_t cycles_high_ = 0;
  std::uint64_t ring_base_ = 0, time_limit_ = 0;
  std::string ring_mistake_;
  std::uint32_t ring_entries_ = 0, head_ = 0, tail_ = 0, completed_ = 0;
  std::uint32_t latest_status_ = 0, latest_identifier_ = 0;
};

}  // namespace tc::platform
