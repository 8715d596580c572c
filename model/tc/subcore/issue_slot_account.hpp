#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/subcore/stall_cause.hpp>

namespace tc::subcore {

using fabric::cycle_t;

class unit_occupancy;

/// What became of the issue slots of a scheduler, one in each cycle: an instruction was issued, or the slot stayed empty for one cause. It
/// tells the execution units of its sub-core, so that they know what happened while they were idle.
class issue_slot_account {
 public:
  /// The slots from `begin` to before `end` were empty for this cause; `none`: issued. Slots come in order, and each once.
  void add(stall_cause cause, cycle_t begin, cycle_t end);

  std::uint64_t issued() const { return slots_[0]; }
  std::uint64_t empty(stall_cause cause) const { return slots_[static_cast<unsigned>(cause)]; }

 private:
  friend class unit_occupancy;

  std::array<std::uint64_t, stall_causes> slots_{};  ///< by cause
  std::vector<unit_occupancy*> units_;
};

/// The cycles of an execution unit: busy, or idle while the issue slot of the same cycle went to an instruction or was empty for a cause.
class unit_occupancy {
 public:
  /// Of a unit in the sub-core of these slots, which outlive it. Null, for a unit by itself: nothing is counted.
  explicit unit_occupancy(issue_slot_account* slots);
  unit_occupancy(const unit_occupancy&) = delete;
  unit_occupancy& operator=(const unit_occupancy&) = delete;

  /// The unit is busy from `begin` to before `end`: cycles to come, which no one has taken yet.
  void take(cycle_t begin, cycle_t end);

  /// Idle cycles, one statistic for each cause that there was.
  void collect(fabric::statistics_sink& sink) const;

 private:
  friend class issue_slot_account;

  void slots_passed(stall_cause cause, cycle_t begin, cycle_t end);

  struct interval {
    cycle_t begin, end;
  };

  const issue_slot_account* const slots_;
  std::deque<interval> coming_;                     ///< busy cycles whose issue slots have not passed yet, in order
  std::array<std::uint64_t, stall_causes> busy_{};  ///< by what became of the issue slot meanwhile
};

}  // namespace tc::subcore
