// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// The results that have been sent to register banks by transactions, until they are visible there: what the bypass hands to operands that
/// are read behind the others of their instruction. A bank is asked for all of them in the cycle of dispatch.
class results_on_the_way {
 public:
  /// A register of a warp gets this value in the cycle `visible`, in lanes that have a bit. It is `now`.
  void add(std::uint32_t warp_slot, unsigned index, fabric::cycle_t visible, std::uint32_t lanes, const warp::lane_vector& value,
           fabric::cycle_t now) {
    results_.erase(std::remove_if(results_.begin(), results_.end(), [now](const result& old) { return old.visible + keeps_cycles < now; }),
                   results_.end());
    results_.push_back({warp_slot, index, visible, lanes, value});
  }

  /// Brings into the value of a register what becomes visible behind the cycle `read`, until `end`.
  void bring(std::uint32_t warp_slot, unsigned index, fabric::cycle_t read, fabric::cycle_t end, warp::lane_vector& value) const {
    for (const result& each : results_) {
      if (each.warp_slot != warp_slot || each.index != index || each.visible <= read || each.visible > end) continue;
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        if ((each.lanes >> lane & 1U) != 0) value[lane] = each.value[lane];
    }
  }

  void clear() { results_.clear(); }

 private:
  /// An operand may come to its unit some cycles behind its dispatch, from a bank that answers late.
  static constexpr fabric::cycle_t keeps_cycles = 64;
  struct result {
    std::uint32_t warp_slot;
    unsigned index;
    fabric::cycle_t visible;
    std::uint32_t lanes;
    warp::lane_vector value;
  };
  std::vector<result> results_;
};

}  // namespace tc::subcore
