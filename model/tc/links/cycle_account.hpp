// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/growing_queue.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/links/stall_cause.hpp>

namespace tc::links {

using fabric::cycle_t;

class unit_occupancy;

/// What became of the issue slots of a scheduler, one in each cycle: an instruction was issued, or the slot stayed empty for one cause. It
/// tells those execution units of its sub-core that are busy, so that they know what happened while they were not.
class issue_slot_account {
 public:
  /// The slots from `begin` to before `end` were empty for this cause; `none`: issued. Slots come in order, and each once.
  void add(stall_cause cause, cycle_t begin, cycle_t end) {
    slots_[cause] += end - begin;
    last_ = {cause, begin, end};
    if (!busy_.empty()) pass(cause, begin, end);
  }
  /// Tells a unit, until it has no busy cycles to come.
  void tell(unit_occupancy& unit) { busy_.push_back(&unit); }
  void tell_no_more(unit_occupancy& unit);

  /// Forgets what it has counted.
  void reset() {
    slots_ = {};
    last_ = {};
  }

  const cause_cycles& slots() const { return slots_; }

  /// The slots that came last.
  struct slot_range {
    stall_cause cause = stall_cause::none;
    cycle_t begin = 0, end = 0;
  };
  const slot_range& last() const { return last_; }

 private:
  void pass(stall_cause cause, cycle_t begin, cycle_t end);
  /// Their order does not matter.
  void leave(std::size_t place) {
    sc_assert(place < busy_.size());
    busy_[place] = busy_.back();
    busy_.pop_back();
  }

  cause_cycles slots_;
  slot_range last_;
  std::vector<unit_occupancy*> busy_;
};

/// Where the cycles of a warp went. Each cycle between its start and its exit is counted once; of a warp that was ended, those that it then
/// waited for something may be missing.
struct warp_accounting {
  bool was_ended = false;  ///< warp_control::end_warps()
  std::uint64_t instructions = 0;
  cycle_t started = 0, first_issue = 0, last_issue = 0;
  cause_cycles stalled{};
};

/// The cycles of an execution unit: busy, or idle while the issue slot of the same cycle went to an instruction or was empty for a cause.
class unit_occupancy {
 public:
  /// Of a unit in the sub-core of these slots, which outlive it. Null, for a unit by itself: nothing is counted.
  explicit unit_occupancy(issue_slot_account* slots) : slots_(slots) {}
  unit_occupancy(const unit_occupancy&) = delete;
  unit_occupancy& operator=(const unit_occupancy&) = delete;

  /// The unit is busy from `begin` to before `end`: the running cycle, whose issue slot may have passed, or cycles to come. None of them
  /// has been taken yet.
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
