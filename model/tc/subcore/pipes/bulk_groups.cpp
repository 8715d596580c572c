// SPDX-License-Identifier: Apache-2.0
#include "bulk_groups.hpp"

#include <algorithm>

namespace tc::subcore {

std::uint64_t bulk_groups::join() {
  ++groups_.back().reading;
  ++groups_.back().writing;
  return first_ + groups_.size() - 1;
}

void bulk_groups::commit() { groups_.emplace_back(); }

void bulk_groups::has_written(std::uint64_t number) {
  --group_of(number).writing;
  while (groups_.size() > 1 && groups_.front().writing == 0) {
    groups_.pop_front();
    ++first_;
  }
}

bool bulk_groups::have_read_but(std::size_t pending) const {
  const std::size_t committed = groups_.size() - 1;
  return pending >= committed || std::all_of(groups_.begin(), groups_.end() - static_cast<std::ptrdiff_t>(pending) - 1,
                                             [](const group& each) { return each.reading == 0; });
}

bool bulk_groups::have_written_but(std::size_t pending) const {
  const std::size_t committed = groups_.size() - 1;
  return pending >= committed || std::all_of(groups_.begin(), groups_.end() - static_cast<std::ptrdiff_t>(pending) - 1,
                                             [](const group& each) { return each.writing == 0; });
}

}  // namespace tc::subcore
