// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "exit_status.hpp"

namespace tcsim {

/// While one lives, the first signal that asks the process to end (SIGINT, SIGTERM, SIGHUP unless they were ignored) is kept for those who
/// ask with interruption(), so that what has been done so far can be told. The next one ends the process, as without it.
class interruption_watch {
 public:
  interruption_watch();
  ~interruption_watch();
  interruption_watch(const interruption_watch&) = delete;
  interruption_watch& operator=(const interruption_watch&) = delete;

  /// In a copy of a process that watches: signals end it at once from now on.
  static void leave();
};

/// The signal that came while an interruption_watch lived; 0: none.
int interruption();

/// What a command ends with because of a signal: 128 and its number, as a shell tells it of a process that the signal killed.
exit_status status_of_signal(int signal);
inline exit_status status_of_interruption() { return status_of_signal(interruption()); }

/// "stopped by signal 2 (Interrupt)".
std::string interruption_text();

/// Work ended before its end, as interruption() asked for.
class interrupted final : public std::runtime_error {
 public:
  interrupted() : std::runtime_error(interruption_text()) {}
};

/// Throws interrupted if a signal has come.
inline void stop_if_interrupted() {
  if (interruption() != 0) throw interrupted();
}

}  // namespace tcsim
