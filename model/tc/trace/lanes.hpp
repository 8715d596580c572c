// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::trace {

/// Threads of a warp.
inline constexpr unsigned warp_lanes = 32;

/// A set of lanes: bit l stands for lane l.
using lane_mask = std::uint32_t;
inline constexpr lane_mask all_lanes = 0xffffffff;

constexpr bool has_lane(lane_mask lanes, unsigned lane) { return (lanes >> lane & 1U) != 0; }

constexpr unsigned count_lanes(lane_mask lanes) {
  unsigned count = 0;
  for (; lanes != 0; lanes &= lanes - 1) ++count;
  return count;
}

/// The lowest lane of a set that is not empty.
constexpr unsigned first_lane(lane_mask lanes) {
  unsigned lane = 0;
  while (!has_lane(lanes, lane)) ++lane;
  return lane;
}

/// Calls visit(lane) for each lane of the set, lowest first.
template <typename Visitor>
void for_each_lane(lane_mask lanes, Visitor visit) {
  for (unsigned lane = 0; lane < warp_lanes; ++lane)
    if (has_lane(lanes, lane)) visit(lane);
}

}  // namespace tc::trace
