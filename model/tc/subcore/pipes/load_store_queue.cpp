// SPDX-License-Identifier: Apache-2.0
#include "load_store_queue.hpp"

#include <algorithm>

#include <systemc>

namespace tc::subcore {

cycle_t load_store_queue::earliest(cycle_t dispatch) const {
  if (unknown() >= entries_) return dispatch + 1;
  const unsigned last = entries_ - unknown();  // that many others fill the queue
  return leave_after(last, dispatch) ? leaving_[leaving_.size() - last] : dispatch;
}

void load_store_queue::push(links::warp_instruction& instruction) {
  sc_assert(unknown() < entries_ && earliest(instruction.dispatch) == instruction.dispatch);
  times_full_ += leave_after(entries_ - unknown() - 1, instruction.dispatch) ? 1U : 0U;
  waiting_.push_back({&instruction, false});
}

void load_store_queue::operands_ready(const links::warp_instruction& instruction) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const waiting& w) { return w.instruction == &instruction; });
  sc_assert(found != waiting_.end() && !found->ready);
  found->ready = true;
}

links::warp_instruction* load_store_queue::pop() {
  if (waiting_.empty() || !waiting_.front().ready) return nullptr;
  links::warp_instruction* const instruction = waiting_.front().instruction;
  waiting_.pop_front();
  ++popped_;
  return instruction;
}

void load_store_queue::left(cycle_t cycle) {
  sc_assert(popped_ > 0);
  --popped_;
  leaving_.insert(std::upper_bound(leaving_.begin(), leaving_.end(), cycle), cycle);
  // Queries look ahead of the running cycle, never back, and no more than `entries_` instructions are inside: the others have left.
  if (leaving_.size() > entries_) leaving_.erase(leaving_.begin());
}

}  // namespace tc::subcore
