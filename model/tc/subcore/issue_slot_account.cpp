#include <algorithm>
#include <string_view>

#include <tc/subcore/issue_slot_account.hpp>

namespace tc::subcore {

void issue_slot_account::add(stall_cause cause, cycle_t begin, cycle_t end) {
  slots_[static_cast<unsigned>(cause)] += end - begin;
  for (unit_occupancy* const unit : units_)
    if (!unit->coming_.empty()) unit->slots_passed(cause, begin, end);
}

unit_occupancy::unit_occupancy(issue_slot_account* slots) : slots_(slots) {
  if (slots != nullptr) slots->units_.push_back(this);
}

void unit_occupancy::take(cycle_t begin, cycle_t end) {
  if (slots_ != nullptr) coming_.push_back({begin, end});
}

void unit_occupancy::slots_passed(stall_cause cause, cycle_t begin, cycle_t end) {
  while (!coming_.empty() && coming_.front().begin < end) {
    const interval& busy = coming_.front();
    const cycle_t from = std::max(begin, busy.begin), to = std::min(end, busy.end);
    if (from < to) busy_[static_cast<unsigned>(cause)] += to - from;
    if (busy.end > end) return;
    coming_.pop_front();
  }
}

void unit_occupancy::collect(fabric::statistics_sink& sink) const {
  static constexpr std::array<std::string_view, stall_causes> keys{
      "idle_issued",       "idle_stall_count",   "idle_wait_mask",      "idle_scoreboard",   "idle_cta_barrier",
      "idle_memory_queue", "idle_bank_conflict", "idle_collector_full", "idle_operand_bus",  "idle_buffer_full",
      "idle_tensor_busy",  "idle_pipe_busy",     "idle_no_instruction", "idle_not_selected", "idle_no_warp"};
  if (slots_ == nullptr) return;
  for (unsigned cause = 0; cause < stall_causes; ++cause) {
    const std::uint64_t idle = slots_->slots_[cause] - busy_[cause];
    if (idle > 0) sink.cycles(keys[cause], idle, "Idle cycles while this became of the issue slot");
  }
}

}  // namespace tc::subcore
