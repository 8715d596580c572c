// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <csignal>
#include <vector>

namespace tcsim {

/// While it lives, ends of children and requests to stop (SIGINT, SIGTERM, SIGHUP unless they were ignored) wait to be asked for instead
/// of interrupting.
class signal_watch {
 public:
  signal_watch();
  ~signal_watch();
  signal_watch(const signal_watch&) = delete;
  signal_watch& operator=(const signal_watch&) = delete;

  /// Waits for something to happen, at most so long. Returns the first signal that asks to stop, of all that came so far; 0 if none did.
  int wait(std::chrono::milliseconds longest);

 private:
  sigset_t before_{};
  struct sigaction child_before_ {};
  int descriptor_ = -1;
  int stop_ = 0;
};

}  // namespace tcsim
