// SPDX-License-Identifier: Apache-2.0
#include "blocking_callers.hpp"

#include <utility>

namespace tc::platform {

blocking_callers::blocking_callers(std::string name, unsigned most, callback call)
    : name_(std::move(name)), most_(most), call_(std::move(call)) {}

void blocking_callers::ask(bus_slot& slot) {
  due_slots_.push_back(&slot);
  if (due_slots_.size() <= free_) {
    due_.notify(sc_core::SC_ZERO_TIME);
  } else if (threads_ < most_) {
    ++free_;
    sc_core::sc_spawn([this] { serve(); }, (name_ + "_" + std::to_string(threads_++)).c_str());
  }
}

void blocking_callers::serve() {
  for (;;) {
    while (due_slots_.empty()) sc_core::wait(due_);
    bus_slot& next = *due_slots_.front();
    due_slots_.pop_front();
    --free_;
    call_(next);
    ++free_;
  }
}

}  // namespace tc::platform
