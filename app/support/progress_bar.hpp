// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

#include "interruption.hpp"

namespace tcsim {

/// A line on stderr that shows how far long work has come, and how long it will take at the rate so far. It appears after half a second,
/// only on a terminal, and goes away at the end. While it is there, the work can be interrupted (interruption.hpp).
class progress_bar {
 public:
  /// What is shown where stderr is no terminal.
  enum class elsewhere {
    nothing,
    lines,  ///< a line for each tenth of the work, but not more often than every ten seconds
  };

  progress_bar(std::string label, std::uint64_t total, elsewhere otherwise = elsewhere::nothing);
  ~progress_bar();
  progress_bar(const progress_bar&) = delete;
  progress_bar& operator=(const progress_bar&) = delete;

  /// How far work has come, and what else there is to say.
  struct state {
    std::uint64_t done = 0;
    std::string detail{};
  };
  /// The same as advance_to(), but asks for the state only when there is something to show, and interrupts nothing.
  void show_if_due(const std::function<state()>& current);
  /// Says that so much of the total is done, and what else there is to say. Throws interrupted if a signal has asked for the end.
  void advance_to(std::uint64_t done, const std::string& detail = {});

 private:
  using clock = std::chrono::steady_clock;

  void show(std::uint64_t done, const std::string& detail);
  bool is_line_due(std::uint64_t done) const;

  interruption_watch watch_;
  std::string label_;
  std::uint64_t total_, shown_tenths_ = 0;
  elsewhere otherwise_;
  bool is_terminal_, is_shown_ = false;
  clock::time_point start_, next_;
};

/// For those that learn how much there is to do when they tell of it first: a bar that appears then, and lives as long as the function and
/// its copies.
std::function<void(std::uint64_t done, std::uint64_t total)> progress_listener(const std::string& label);

/// The line itself: "label [#####     ] 50 %, detail".
std::string progress_text(const std::string& label, std::uint64_t done, std::uint64_t total, const std::string& detail = {});

/// "0:07", "12:30", "1:02:03".
std::string duration_text(std::chrono::duration<double> duration);

}  // namespace tcsim
