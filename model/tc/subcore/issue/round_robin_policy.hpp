// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include <tc/subcore/issue/warp_policy.hpp>

namespace tc::subcore {

/// Takes the next ready warp behind the one that issued last, by slot.
class round_robin_policy final : public warp_policy {
 public:
  std::size_t choose(const warp_candidates& candidates, cycle_t) override {
    for (const warp_candidate candidate : candidates)
      if (has_issued_ && candidate.slot() > last_) return candidate.slot();
    return candidates[0].slot();
  }
  void issued(std::size_t slot, const isa::instruction&, cycle_t) override {
    last_ = slot;
    has_issued_ = true;
  }
  void reset() override { has_issued_ = false; }

 private:
  std::size_t last_ = 0;
  bool has_issued_ = false;
};

}  // namespace tc::subcore
