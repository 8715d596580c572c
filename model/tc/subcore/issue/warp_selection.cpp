#include "warp_selection.hpp"

#include <algorithm>

namespace tc::subcore {

std::size_t warp_selection::choose(const std::vector<warp_slot>& slots, cycle_t cycle) const {
  return params_.policy == config::warp_policy::loose_round_robin ? next_in_turn(slots, cycle) : choose_greedily(slots, cycle);
}

void warp_selection::issued(std::size_t slot, const isa::instruction& code, cycle_t cycle) {
  last_ = slot;
  last_cycle_ = cycle;
  if (isa::is_mma(code.op)) last_matrix_ = slot;
}

std::size_t warp_selection::next_in_turn(const std::vector<warp_slot>& slots, cycle_t cycle) const {
  const std::size_t first = last_ == no_slot ? 0 : last_ + 1;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const std::size_t slot = (first + i) % slots.size();
    if (slots[slot].is_ready(cycle)) return slot;
  }
  return no_slot;
}

std::size_t warp_selection::choose_greedily(const std::vector<warp_slot>& slots, cycle_t cycle) const {
  std::size_t best = no_slot, waiting = no_slot, best_yielded = no_slot;
  const auto is_later = [&](std::size_t slot, std::size_t than) {
    const cycle_t since = slots[slot].waits_since, other = slots[than].waits_since;
    return since != other ? since > other : is_better(slots[than], slots[slot]);
  };
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (!slots[slot].is_ready(cycle)) continue;
    if (slots[slot].yielded) {
      if (best_yielded == no_slot || is_better(slots[slot], slots[best_yielded])) best_yielded = slot;
      continue;
    }
    if (best == no_slot || is_better(slots[slot], slots[best])) best = slot;
    if (loses_patience(slots[slot]) && (waiting == no_slot || is_later(waiting, slot))) waiting = slot;
  }
  if (best == no_slot) return best_yielded;
  const auto is_candidate = [&](std::size_t slot) { return slot != no_slot && slots[slot].is_ready(cycle) && !slots[slot].yielded; };
  if (waiting != no_slot && cycle - slots[waiting].waits_since >= params_.patience_cycles) return waiting;
  if (is_candidate(last_) && (cycle == last_cycle_ + 1 || !isa::is_mma(slots[last_].next.code->op))) return last_;
  if (is_candidate(last_matrix_) && isa::is_mma(slots[last_matrix_].next.code->op)) return last_matrix_;
  return best;
}

bool warp_selection::loses_patience(const warp_slot& slot) const {
  const isa::opcode wanted = slot.next.code->op;
  return params_.patience_cycles != 0 && (isa::is_mma(wanted) || isa::is_queued(wanted));
}

bool warp_selection::is_better(const warp_slot& candidate, const warp_slot& best) const {
  const bool is_younger = candidate.launch_order > best.launch_order;
  return (params_.policy == config::warp_policy::greedy_then_youngest) == is_younger;
}

}  // namespace tc::subcore
