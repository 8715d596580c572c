#include "issue_slot_account.hpp"

#include <algorithm>

#include <tc/subcore/links/unit_occupancy.hpp>

namespace tc::subcore {

void issue_slot_account::pass(stall_cause cause, cycle_t begin, cycle_t end) {
  for (std::size_t i = 0; i < busy_.size();) {
    if (busy_[i]->slots_passed(cause, begin, end))
      ++i;
    else
      busy_.erase(busy_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void issue_slot_account::tell_no_more(unit_occupancy& unit) { busy_.erase(std::remove(busy_.begin(), busy_.end(), &unit), busy_.end()); }

}  // namespace tc::subcore
