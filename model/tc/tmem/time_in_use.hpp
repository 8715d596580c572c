// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include <tc/fabric/clocked.hpp>

namespace tc::tmem {

/// Cycles in which something is in use by one or several at once: the length of the union of their intervals. They come in any order, but
/// only the latest few are remembered, as those who take turns on a few paths need.
class time_in_use {
 public:
  using cycle_t = fabric::cycle_t;

  /// Somebody uses it from `begin` to before `end`.
  void add(cycle_t begin, cycle_t end) {
    for (std::size_t i = 0; i < count_;) {
      if (latest_[i].end < begin || latest_[i].begin > end) {
        ++i;
        continue;
      }
      begin = std::min(begin, latest_[i].begin);
      end = std::max(end, latest_[i].end);
      cycles_ -= latest_[i].end - latest_[i].begin;
      latest_[i] = latest_[--count_];
    }
    cycles_ += end - begin;
    if (count_ == latest_.size()) forget_oldest();
    latest_[count_++] = {begin, end};
  }

  std::uint64_t cycles() const { return cycles_; }

 private:
  struct interval {
    cycle_t begin = 0, end = 0;
  };

  void forget_oldest() {
    auto* const last = latest_.data() + count_;
    *std::min_element(latest_.data(), last, [](const interval& x, const interval& y) { return x.end < y.end; }) = *(last - 1);
    --count_;
  }

  std::array<interval, 16> latest_{};  ///< disjoint
  std::size_t count_ = 0;
  std::uint64_t cycles_ = 0;
};

}  // namespace tc::tmem
