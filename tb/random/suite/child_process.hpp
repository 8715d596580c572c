// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <sys/types.h>

namespace tcsim::random_programs {

/// A copy of this process that does one thing and tells a text: SystemC elaborates once in a process, and what crashes or hangs ends only
/// the copy.
class child_process {
 public:
  /// Starts it. It is ended by a signal after `seconds`, and when this process or the object goes. Throws std::system_error.
  child_process(const std::function<std::string()>& work, unsigned seconds);
  ~child_process();
  child_process(child_process&& other) noexcept;
  child_process(const child_process&) = delete;
  child_process& operator=(const child_process&) = delete;
  child_process& operator=(child_process&&) = delete;

  struct outcome {
    std::string text;     ///< what it told
    std::string failure;  ///< why it told nothing, or not all; empty: it ended as it should
  };
  /// Waits for its end. Once.
  outcome result();

  pid_t id() const { return process_; }

 private:
  pid_t process_ = -1;
  int text_ = -1;
};

/// Waits until one of the children has ended, and says which; its result() then does not wait.
pid_t any_ended_child();

}  // namespace tcsim::random_programs
