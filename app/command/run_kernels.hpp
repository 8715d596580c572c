// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/device/gpu.hpp>
#include <tc/execution/timed_launch.hpp>
#include <tc/trace/trace.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// The kernels of a run, from traces and from launches.
class run_kernels {
 public:
  /// Opens traces as open_named_trace() does, and launches as read_launch_files(). Throws what these do, and usage_error for a launch that
  /// contradicts its code.
  run_kernels(const std::vector<std::string>& files, const tc::config::machine& machine, bool with_values);

  /// For the machine. The kernels must outlive it.
  std::vector<tc::device::kernel_source> sources() const;
  bool have_launches() const;

  /// What the executions have left in memory, for people: beside what was recorded, and beside the machine's own memory. `status` becomes
  /// check_failed where they differ.
  std::string verdict_on_executions(tc::device::gpu& gpu, exit_status& status) const;

 private:
  struct opened {
    std::string file;
    std::optional<tc::trace::trace> trace;
    std::unique_ptr<tc::execution::timed_launch> launch;
  };

  std::vector<opened> kernels_;
};

}  // namespace tcsim
