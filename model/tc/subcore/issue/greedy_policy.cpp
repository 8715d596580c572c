// SPDX-License-Identifier: Apache-2.0
#include "greedy_policy.hpp"

#include <optional>

namespace tc::subcore {

std::size_t greedy_policy::choose(const warp_candidates& candidates, cycle_t cycle) {
  std::optional<warp_candidate> waiting, last, last_matrix;
  bool all_yielded = true;
  const auto is_later = [&](const warp_candidate& one, const warp_candidate& than) {
    return one.waits_since() != than.waits_since() ? one.waits_since() > than.waits_since() : is_better(than, one);
  };
  for (const warp_candidate candidate : candidates) {
    if (candidate.yielded()) continue;
    all_yielded = false;
    if (loses_patience(candidate, cycle) && (!waiting || is_later(*waiting, candidate))) waiting = candidate;
    if (candidate.slot() == last_) last = candidate;
    if (candidate.slot() == last_matrix_) last_matrix = candidate;
  }
  if (waiting) return waiting->slot();
  if (last && (cycle == last_cycle_ + 1 || !isa::is_mma(last->next().op))) return last_;
  if (last_matrix && isa::is_mma(last_matrix->next().op)) return last_matrix_;
  return best_of(candidates, all_yielded);
}

/// The youngest or the oldest of those that have yielded, or of those that have not.
std::size_t greedy_policy::best_of(const warp_candidates& candidates, bool yielded) const {
  std::optional<warp_candidate> best;
  for (const warp_candidate candidate : candidates)
    if (candidate.yielded() == yielded && (!best || is_better(candidate, *best))) best = candidate;
  return best->slot();
}

bool greedy_policy::loses_patience(const warp_candidate& candidate, cycle_t cycle) const {
  if (patience_cycles_ == 0 || cycle - candidate.waits_since() < patience_cycles_) return false;
  const isa::opcode wanted = candidate.next().op;
  return isa::is_mma(wanted) || isa::is_queued(wanted);
}

}  // namespace tc::subcore
