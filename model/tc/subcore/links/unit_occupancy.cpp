#include "unit_occupancy.hpp"

#include <algorithm>

#include <systemc>

namespace tc::subcore {

void unit_occupancy::take(cycle_t begin, cycle_t end) {
  if (slots_ == nullptr) return;
  sc_assert(begin <= end && (coming_.empty() || coming_.back().end <= begin));
  if (coming_.empty()) slots_->tell(*this);
  if (!coming_.empty() && coming_.back().end == begin)
    coming_.back().end = end;
  else
    coming_.push_back({begin, end});
}

bool unit_occupancy::count_busy(stall_cause cause, cycle_t begin, cycle_t end) {
  while (!coming_.empty() && coming_.front().begin < end) {
    const interval& busy = coming_.front();
    const cycle_t from = std::max(begin, busy.begin), to = std::min(end, busy.end);
    if (from < to) busy_[cause] += to - from;
    if (busy.end > end) break;
    coming_.pop_front();
  }
  return !coming_.empty();
}

void unit_occupancy::reset() {
  if (!coming_.empty()) slots_->tell_no_more(*this);
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

}  // namespace tc::subcore
