// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/links/cause_cycles.hpp>

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
    if (!busy_.empty()) pass(cause, begin, end);
  }
  /// Tells a unit, until it has no busy cycles to come.
  void tell(unit_occupancy& unit) { busy_.push_back(&unit); }
  void tell_no_more(unit_occupancy& unit);

  /// Forgets what it has counted.
  void reset() { slots_ = {}; }

  const cause_cycles& slots() const { return slots_; }

 private:
  void pass(stall_cause cause, cycle_t begin, cycle_t end);
  /// Their order does not matter.
  void leave(std::size_t place) {
    sc_assert(place < busy_.size());
    busy_[place] = busy_.back();
    busy_.pop_back();
  }

  cause_cycles slots_;
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

}  // namespace tc::links
