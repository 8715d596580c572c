// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <sys/types.h>

#include "result_store.hpp"

namespace tcsim {

/// What a process is started for. It runs in that process, and must not throw.
using run_work = std::function<finished_run()>;

/// A child of this process, a fork of it, that does one thing and tells how that ended. It ends when this process or this object does. Its
/// stdin is empty; what it writes to stdout and stderr is kept for the message if it dies.
class run_process {
 public:
  /// Throws std::system_error if there are no more processes or files to be had.
  explicit run_process(const run_work& work);
  /// Kills it unless it has ended.
  ~run_process();
  run_process(const run_process&) = delete;
  run_process& operator=(const run_process&) = delete;

  /// How it ended, once it has: what the work returned, or that a signal killed it (exit status 128 + n), or that it exited without
  /// returning (exit status 3). Does not wait.
  std::optional<finished_run> poll();

 private:
  using clock = std::chrono::steady_clock;

  pid_t process_ = -1;
  int result_ = -1, output_ = -1;  ///< files without a name
  clock::time_point start_;
};

}  // namespace tcsim
