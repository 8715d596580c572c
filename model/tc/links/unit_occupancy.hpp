// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/growing_queue.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/issue_slot_account.hpp>

namespace tc::links {

/// The cycles of an execution unit: busy, or idle while the issue slot of the same cycle went to an instruction or was empty for a cause.
class unit_occupancy {
 public:
  /// Of a unit in the sub-core of these slots, which outlive it. Null, for a unit by itself: nothing is counted.
  explicit unit_occupancy(issue_slot_account* slots) : slots_(slots) {}
  unit_occupancy(const unit_occupancy&) = delete;
  unit_occupancy& operator=(const unit_occupancy&) = delete;

  /// The unit is busy from `begin` to before `end`: cycles to come, which no one has taken yet.
  void take(cycle_t begin, cycle_t end);

  /// What became of the issue slots from `begin` to before `end`; in order, and each once, as long as there are busy cycles to come. False:
  /// there are none any more.
  bool slots_passed(stall_cause cause, cycle_t begin, cycle_t end) {
    if (next_.begin >= end) return true;
    if (next_.begin > begin || next_.end <= end) return count_busy(cause, begin, end);
    busy_[cause] += end - begin;
    return true;
  }

  /// Forgets what it has counted, and that the unit is busy.
  void reset();

  /// Idle cycles, one statistic for each cause that there was.
  void collect(fabric::statistics_sink& sink) const;

 private:
  bool count_busy(stall_cause cause, cycle_t begin, cycle_t end);

  struct interval {
    cycle_t begin, end;
    bool is_none() const { return begin == end; }
  };

  issue_slot_account* const slots_;
  interval next_{0, 0};                     ///< busy cycles of which not all issue slots have passed
  fabric::growing_queue<interval> coming_;  ///< the same behind these, in order
  cause_cycles busy_;                       ///< by what became of the issue slot meanwhile
};

}  // namespace tc::links
