// SPDX-License-Identifier: Apache-2.0
#pragma once

#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include <deque>
#include <functional>
#include <string>

#include <systemc>

namespace tc::platform {

struct bus_slot;

/// Threads that make blocking calls for modules which have none. One is made when a call is due and all others are inside calls: a target
/// that never waits needs a single one.
class blocking_callers {
 public:
  using callback = std::function<void(bus_slot&)>;

  /// `name` begins the names of the threads, of which at most `most` are made.
  blocking_callers(std::string name, unsigned most, callback call);

  /// Has the call made in this moment, or as soon as a thread returns from another one; in the order in which they were asked for.
  void ask(bus_slot& slot);

 private:
  void serve();

  std::string name_;
  unsigned most_;
  callback call_;
  sc_core::sc_event due_;
  std::deque<bus_slot*> due_slots_;
  unsigned threads_ = 0;
  unsigned free_ = 0;  // threads that wait for something to do, or have been made for it
};

}  // namespace tc::platform
