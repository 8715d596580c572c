// SPDX-License-Identifier: Apache-2.0
#include "core_turns.hpp"

#include <algorithm>

namespace tc::engine {

cycle_t core_turns::next(cycle_t wanted) {
  cycle_t waiting = 0;
  for (auto& core : cores_) waiting = std::max(waiting, core->let_waiting_pass(of_warps_.wait_cycles));
  if (waiting == 0) return free_from(wanted);
  return std::max(wanted, free_from(0) + std::max(waiting, of_warps_.turn_cycles));
}

cycle_t core_turns::free_from(cycle_t wanted) const {
  cycle_t begin = wanted;
  for (const auto& core : cores_) begin = std::max(begin, core->free_from());
  return begin;
}

void core_turns::ask_for_turn() {
  for (auto& core : cores_) core->hold_back_warps();
}

void core_turns::take(cycle_t begin, cycle_t end) {
  for (auto& core : cores_) core->take(begin, end);
}

void core_turns::give_precedence(bool to_warpgroups) {
  for (auto& core : cores_) core->give_precedence(to_warpgroups);
}

}  // namespace tc::engine
