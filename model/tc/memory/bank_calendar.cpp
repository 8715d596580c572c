#include "bank_calendar.hpp"

#include <algorithm>

namespace tc::memory {

cycle_t bank_calendar::take(cycle_t earliest) {
  cycle_t start = std::max(earliest, past_);
  const auto is_over = [](const span& s, cycle_t cycle) { return s.end < cycle; };
  auto next = std::lower_bound(taken_.begin(), taken_.end(), start, is_over);
  const auto first = next;  // the first that the wavefront may touch
  for (; next != taken_.end() && next->begin < start + wavefront_cycles_; ++next) start = std::max(start, next->end);

  const cycle_t end = start + wavefront_cycles_;
  const bool touches_last = next != first && (next - 1)->end == start;
  const bool touches_next = next != taken_.end() && next->begin == end;
  if (touches_last && touches_next) {
    (next - 1)->end = next->end;
    taken_.erase(next);
  } else if (touches_last) {
    (next - 1)->end = end;
  } else if (touches_next) {
    next->begin = start;
  } else {
    taken_.insert(next, {start, end});
  }
  return start;
}

void bank_calendar::forget_before(cycle_t cycle) {
  if (cycle <= past_) return;
  past_ = cycle;
  const auto is_past = [cycle](const span& s) { return s.end <= cycle; };
  taken_.erase(taken_.begin(), std::find_if_not(taken_.begin(), taken_.end(), is_past));
}

}  // namespace tc::memory
