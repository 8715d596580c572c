#include "issue_slot_account.hpp"

#include <tc/subcore/links/unit_occupancy.hpp>

namespace tc::subcore {

void issue_slot_account::add(stall_cause cause, cycle_t begin, cycle_t end) {
  slots_[cause] += end - begin;
  for (unit_occupancy* const unit : units_) unit->slots_passed(cause, begin, end);
}

}  // namespace tc::subcore
