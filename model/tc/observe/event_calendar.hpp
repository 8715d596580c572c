// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::observe {

/// What was told ahead of its cycle, kept until its cycle has passed: a list of entries for each cycle, in the order of telling. The near
/// cycles are a ring, as nearly all entries are for one of the next few.
template <typename Entries>
class event_calendar {
 public:
  /// The entries of a cycle that has not been taken; the reference holds until the next call.
  Entries& at(fabric::cycle_t cycle) {
    last_ = std::max(last_, cycle);
    return cycle - next_ < near ? ring_[cycle % near] : far_[cycle];
  }

  /// Takes all cycles before `end` in order: `visit(cycle, entries)` for those with entries.
  template <typename Visit>
  void take_until(fabric::cycle_t end, Visit&& visit) {
    const fabric::cycle_t stop = std::min(end, last_ + 1);
    for (; next_ < stop; advance()) {
      Entries& entries = ring_[next_ % near];
      if (entries.empty()) continue;
      visit(next_, entries);
      entries.clear();
    }
    if (end > next_) skip_to(end);
  }
  template <typename Visit>
  void take_all(Visit&& visit) {
    take_until(last_ + 1, visit);
  }

 private:
  static constexpr fabric::cycle_t near = 1024;

  void advance() {
    ++next_;
    bring_near();
  }
  /// There are no entries before `cycle`.
  void skip_to(fabric::cycle_t cycle) {
    next_ = cycle;
    bring_near();
  }
  void bring_near() {
    while (!far_.empty() && far_.begin()->first - next_ < near) {
      ring_[far_.begin()->first % near] = std::move(far_.begin()->second);
      far_.erase(far_.begin());
    }
  }

  std::array<Entries, near> ring_;
  std::map<fabric::cycle_t, Entries> far_;
  fabric::cycle_t next_ = 0;  // the first that has not been taken
  fabric::cycle_t last_ = 0;  // with an entry
};

}  // namespace tc::observe
