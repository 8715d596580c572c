// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/platform/command_descriptor.hpp>
#include <tc/platform/command_kernel.hpp>
#include <tc/platform/memory_transfers.hpp>
#include <tc/platform/register_file.hpp>

namespace tc::platform {

/// A command that has been read from the ring.
struct queued_command {
  command_descriptor descriptor;
  command_kernel kernel{};                       ///< no trace: none is to run
  command_status status = command_status::done;  ///< if it is another, the command is not to begin
  std::string text{};                            ///< why not
  bool is_readable = true;                       ///< false: memory did not give the descriptor; nothing is read behind it
};

/// A trace in memory is read as a whole, and checked if it is packed, before it begins.
constexpr trace::size_limits trace_limits() {
  trace::size_limits limits;
  limits.text_bytes = std::uint64_t{1} << 32;
  limits.instructions = std::uint64_t{1} << 28;
  return limits;
}

/// Convolutions and products by warpgroups are listed as a whole before they begin.
constexpr trace::size_limits kernel_limits() {
  trace::size_limits limits;
  limits.instructions = std::uint64_t{1} << 24;
  limits.distinct_instructions = std::uint64_t{1} << 20;
  return limits;
}

/// Reads the commands of the ring ahead, one after the other, and makes their kernels.
class command_reader {
 public:
  struct params {
    unsigned commands_ahead = 4;                   ///< most that are read before they begin, 1 or more
    std::uint64_t largest_trace_bytes = 64 << 20;  ///< of a trace's file content
    trace::size_limits traces = trace_limits();    ///< of a trace in memory; more are refused
    trace::size_limits kernels = kernel_limits();  ///< of a kernel that a command describes; more are refused
  };
  /// `read` is called when a command has been. What is given must outlive the reader.
  command_reader(const params& parameters, const register_file& registers, memory_transfers& transfers, const config::machine& machine,
                 std::function<void()> read);

  /// Reads the next descriptor, unless enough are read. `begun`: of the queued commands, those that have begun.
  void read_ahead(std::uint32_t begun);
  bool has_next() const { return !ready_.empty(); }
  queued_command take_next();
  /// Nothing is being read, and no command waits.
  bool idle() const { return !is_reading_ && ready_.empty(); }
  /// Forgets all commands; the transfers have been dropped.
  void drop();

 private:
  void descriptor_read(bool ok);
  void read_trace(const queued_command& command);
  void trace_read(bool ok);
  template <class Make>
  void add(queued_command command, Make make_kernel);

  const params params_;
  const register_file& registers_;
  memory_transfers& transfers_;
  const std::function<void()> read_;
  kernel_cache kernels_;
  bool is_reading_ = false;
  command_descriptor::bytes descriptor_{};
  queued_command traced_{};  // its trace is being read
  std::string content_;      // of the trace
  std::deque<queued_command> ready_;
};

}  // namespace tc::platform
