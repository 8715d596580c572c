// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

namespace tcsim {

/// A copy of this process that does one thing and tells what came of it in bytes: SystemC elaborates once in a process. It ends with this
/// object.
class process_copy {
 public:
  /// `what` continues "a process that ...", for messages: "simulates some of the SMs". Throws std::system_error if there can be no process.
  process_copy(std::string what, const std::function<std::string()>& work);
  ~process_copy();
  process_copy(const process_copy&) = delete;
  process_copy& operator=(const process_copy&) = delete;

  /// Waits for its bytes. Once. What the work threw is thrown here, as usage_error or std::runtime_error.
  std::string result();

 private:
  std::string what_;
  int result_ = -1;
  pid_t process_ = -1;  ///< -1: it has ended
};

}  // namespace tcsim
