// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_groups.hpp"

#include <algorithm>
#include <cstddef>

namespace tc::subcore {

std::uint64_t warpgroup_groups::join() {
  ++groups_.back().open;
  return first_ + groups_.size() - 1;
}

void warpgroup_groups::commit() {
  groups_.emplace_back();
  forget();
}

void warpgroup_groups::completes(std::uint64_t number, cycle_t cycle) {
  group& entry = groups_[number - first_];
  --entry.open;
  entry.done = std::max(entry.done, cycle);
  forget();
}

void warpgroup_groups::forget() {
  while (groups_.size() > max_pending + 1 && groups_.front().open == 0) {
    forgotten_ = std::max(forgotten_, groups_.front().done);
    groups_.pop_front();
    ++first_;
  }
}

std::optional<cycle_t> warpgroup_groups::complete_but(std::uint64_t pending) const {
  const std::size_t committed = groups_.size() - 1;
  cycle_t done = forgotten_;
  for (std::size_t i = 0; i + pending < committed; ++i) {
    if (groups_[i].open != 0) return std::nullopt;
    done = std::max(done, groups_[i].done);
  }
  return done;
}

}  // namespace tc::subcore
