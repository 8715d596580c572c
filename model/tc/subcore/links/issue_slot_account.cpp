#include "issue_slot_account.hpp"

#include <algorithm>

#include <tc/subcore/links/unit_occupancy.hpp>

namespace tc::subcore {

void issue_slot_account::pass(stall_cause cause, cycle_t begin, cycle_t end) {
  auto keep = busy_.begin();
  for (unit_occupancy* const unit : busy_)
    if (unit->slots_passed(cause, begin, end)) *keep++ = unit;
  if (keep != busy_.end()) busy_.erase(keep, busy_.end());
}

void issue_slot_account::tell_no_more(unit_occupancy& unit) { busy_.erase(std::remove(busy_.begin(), busy_.end(), &unit), busy_.end()); }

}  // namespace tc::subcore
