// SPDX-License-Identifier: Apache-2.0
#include "warp_selection.hpp"

#include <algorithm>

namespace tc::subcore {

std::size_t warp_selection::choose(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready, cycle_t cycle) const {
  if (ready.empty()) return no_slot;
  if (ready.size() == 1) return ready.front();
  return params_.policy == config::warp_policy::loose_round_robin ? next_in_turn(ready) : choose_greedily(slots, ready, cycle);
}

void warp_selection::issued(std::size_t slot, const isa::instruction& code, cycle_t cycle) {
  last_ = slot;
  last_cycle_ = cycle;
  if (isa::is_mma(code.op)) last_matrix_ = slot;
}

std::size_t warp_selection::next_in_turn(const std::vector<std::size_t>& ready) const {
  const auto behind_last = std::find_if(ready.begin(), ready.end(), [this](std::size_t slot) { return last_ == no_slot || slot > last_; });
  return behind_last == ready.end() ? ready.front() : *behind_last;
}

std::size_t warp_selection::choose_greedily(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready,
                                            cycle_t cycle) const {
  std::size_t waiting = no_slot;
  bool all_yielded = true, last_is_candidate = false, last_matrix_is_candidate = false;
  const auto is_later = [&](std::size_t slot, std::size_t than) {
    const cycle_t since = slots[slot].waits_since, other = slots[than].waits_since;
    return since != other ? since > other : is_better(slots[than], slots[slot]);
  };
  for (const std::size_t slot : ready) {
    if (slots[slot].yielded) continue;
    all_yielded = false;
    if (loses_patience(slots[slot], cycle) && (waiting == no_slot || is_later(waiting, slot))) waiting = slot;
    last_is_candidate = last_is_candidate || slot == last_;
    last_matrix_is_candidate = last_matrix_is_candidate || slot == last_matrix_;
  }
  if (waiting != no_slot) return waiting;
  if (last_is_candidate && (cycle == last_cycle_ + 1 || !isa::is_mma(slots[last_].next.code->op))) return last_;
  if (last_matrix_is_candidate && isa::is_mma(slots[last_matrix_].next.code->op)) return last_matrix_;
  return best_of(slots, ready, all_yielded);
}

/// The youngest or the oldest of those that have yielded, or of those that have not.
std::size_t warp_selection::best_of(const std::vector<warp_slot>& slots, const std::vector<std::size_t>& ready, bool yielded) const {
  std::size_t best = no_slot;
  for (const std::size_t slot : ready)
    if (slots[slot].yielded == yielded && (best == no_slot || is_better(slots[slot], slots[best]))) best = slot;
  return best;
}

bool warp_selection::loses_patience(const warp_slot& slot, cycle_t cycle) const {
  if (params_.patience_cycles == 0 || cycle - slot.waits_since < params_.patience_cycles) return false;
  const isa::opcode wanted = slot.next.code->op;
  return isa::is_mma(wanted) || isa::is_queued(wanted);
}

bool warp_selection::is_better(const warp_slot& candidate, const warp_slot& best) const {
  const bool is_younger = candidate.launch_order > best.launch_order;
  return (params_.policy == config::warp_policy::greedy_then_youngest) == is_younger;
}

}  // namespace tc::subcore
