// SPDX-License-Identifier: Apache-2.0
#include "issue_slot_account.hpp"

#include <algorithm>

#include <tc/links/unit_occupancy.hpp>

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

}  // namespace tc::links
