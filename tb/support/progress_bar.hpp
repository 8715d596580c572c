#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace tcsim {

/// A line on stderr that shows how far long work has come. It appears after half a second, only on a terminal, and goes away at the end.
class progress_bar {
 public:
  progress_bar(std::string label, std::uint64_t total);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// Says that so much of the total is done.
  void advance_to(std::uint64_t done);

 private:
  using clock = std::chrono::steady_clock;

  std::string label_;
  std::uint64_t total_;
  bool is_terminal_, is_shown_ = false;
  clock::time_point next_;
};

/// The line itself: "label [#####     ] 50 %".
std::string progress_text(const std::string& label, std::uint64_t done, std::uint64_t total);

}  // namespace tcsim
