// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// What has been sent to a register bank until it is visible there: what the bypass network hands to operands that are read behind the
/// others of their instruction.
class writes_on_the_way {
 public:
  /// A row gets this value in the cycle `visible`, in lanes that have a bit. It is `now`.
  void add(std::uint32_t row, fabric::cycle_t visible, std::uint32_t lanes, const warp::lane_vector& value, fabric::cycle_t now) {
    writes_.erase(std::remove_if(writes_.begin(), writes_.end(), [now](const write& old) { return old.visible + keeps_cycles < now; }),
                  writes_.end());
    writes_.push_back({row, visible, lanes, value});
  }

  /// Brings into the value of a row what becomes visible behind the cycle `read`, until `end`.
  void bring(std::uint32_t row, fabric::cycle_t read, fabric::cycle_t end, warp::lane_vector& value) const {
    for (const write& each : writes_) {
      if (each.row != row || each.visible <= read || each.visible > end) continue;
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        if ((each.lanes >> lane & 1U) != 0) value[lane] = each.value[lane];
    }
  }

  void clear() { writes_.clear(); }

 private:
  /// A read may be answered some cycles behind its arrival.
  static constexpr fabric::cycle_t keeps_cycles = 64;
  struct write {
    std::uint32_t row;
    fabric::cycle_t visible;
    std::uint32_t lanes;
    warp::lane_vector value;
  };
  std::vector<write> writes_;
};

}  // namespace tc::subcore
