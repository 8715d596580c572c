// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::isa {

/// Threads of a warp, each in a lane of its own; as bits of a lane's number.
inline constexpr unsigned warp_lane_bits = 5, lanes_per_warp = 1U << warp_lane_bits;

/// Bits of a register of a lane.
inline constexpr unsigned register_bits = 32;

/// A set of lanes: bit l stands for lane l.
using lane_mask = std::uint32_t;
inline constexpr lane_mask all_warp_lanes = static_cast<lane_mask>((std::uint64_t{1} << lanes_per_warp) - 1);

}  // namespace tc::isa
