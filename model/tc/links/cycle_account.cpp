// SPDX-License-Identifier: Apache-2.0
#include "cycle_account.hpp"

#include <algorithm>

#include <systemc>

namespace tc::links {

void issue_slot_account::pass(stall_cause cause, cycle_t begin, cycle_t end) {
  for (std::size_t i = 0; i < busy_.size();) {
    if (busy_[i]->slots_passed(cause, begin, end))
      ++i;
    else
      leave(i);
  }
}

void issue_slot_account::tell_no_more(unit_occupancy& unit) {
  leave(static_cast<std::size_t>(std::find(busy_.begin(), busy_.end(), &unit) - busy_.begin()));
}

void unit_occupancy::take(cycle_t begin, cycle_t end) {
  if (slots_ == nullptr || begin == end) return;
  sc_assert(begin < end && begin >= (coming_.empty() ? next_ : coming_.back()).end);
  if (const issue_slot_account::slot_range& last = slots_->last(); begin < last.end) {
    sc_assert(begin >= last.begin);
    const cycle_t passed = std::min(end, last.end);
    busy_[last.cause] += passed - begin;
    begin = passed;
    if (begin == end) return;
  }
  if (next_.is_none()) {
    next_ = {begin, end};
    slots_->tell(*this);
    return;
  }
  interval& last = coming_.empty() ? next_ : coming_.back();
  if (last.end == begin) {
    last.end = end;
    return;
  }
  fabric::make_room(coming_);
  coming_.push_back({begin, end});
}

bool unit_occupancy::count_busy(stall_cause cause, cycle_t begin, cycle_t end) {
  while (next_.begin < end) {
    const cycle_t from = std::max(begin, next_.begin), to = std::min(end, next_.end);
    if (from < to) busy_[cause] += to - from;
    if (next_.end > end) return true;
    if (coming_.empty()) {
      next_.begin = next_.end;
      return false;
    }
    next_ = coming_.front();
    coming_.pop_front();
  }
  return true;
}

void unit_occupancy::reset() {
  if (!next_.is_none()) slots_->tell_no_more(*this);
  next_ = {0, 0};
  coming_.clear();
  busy_ = {};
}

void unit_occupancy::collect(fabric::statistics_sink& sink) const {
  if (slots_ == nullptr) return;
  for (const stall_cause_info& row : stall_cause_table) {
    sc_assert(busy_[row.cause] <= slots_->slots()[row.cause]);
    const std::uint64_t idle = slots_->slots()[row.cause] - busy_[row.cause];
    if (idle > 0) sink.cycles_of("idle", row.key, idle, "Idle cycles while this became of the issue slot");
  }
}

}  // namespace tc::links
