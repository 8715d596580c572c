#include "load_store_queue.hpp"

#include <algorithm>

namespace tc::subcore {

unsigned load_store_queue::taken(cycle_t cycle) const {
  const unsigned unknown = static_cast<unsigned>(waiting_.size()) + popped_;
  if (leaving_.empty() || leaving_.back() <= cycle) return unknown;
  const auto later = leaving_.end() - std::upper_bound(leaving_.begin(), leaving_.end(), cycle);
  return unknown + static_cast<unsigned>(later);
}

cycle_t load_store_queue::earliest(cycle_t dispatch) const {
  const unsigned occupied = taken(dispatch);
  if (occupied < entries_) return dispatch;
  const unsigned needed = occupied - entries_ + 1;
  const auto first = std::upper_bound(leaving_.begin(), leaving_.end(), dispatch);
  const auto known = static_cast<unsigned>(leaving_.end() - first);
  return needed > known ? dispatch + 1 : *(first + (needed - 1));
}

void load_store_queue::push(warp_instruction& instruction) {
  const unsigned occupied = taken(instruction.dispatch);
  sc_assert(occupied < entries_);
  times_full_ += occupied + 1 == entries_ ? 1 : 0;
  waiting_.push_back({&instruction, false});
}

void load_store_queue::operands_ready(const warp_instruction& instruction) {
  const auto found = std::find_if(waiting_.begin(), waiting_.end(), [&](const waiting& w) { return w.instruction == &instruction; });
  sc_assert(found != waiting_.end());
  found->ready = true;
}

warp_instruction* load_store_queue::pop() {
  if (waiting_.empty() || !waiting_.front().ready) return nullptr;
  warp_instruction* const instruction = waiting_.front().instruction;
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
