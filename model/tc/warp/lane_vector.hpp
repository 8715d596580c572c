// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/warp_lanes.hpp>

namespace tc::warp {

/// The lower of two elements of 16 bits in a register.
inline constexpr unsigned half_bits = 16;
inline constexpr std::uint32_t half_mask = 0xffff;

/// Threads of a warp.
using isa::lanes_per_warp;

/// One warp register: 32 bits of each lane.
using lane_vector = std::array<std::uint32_t, lanes_per_warp>;

/// The same value in every lane.
inline lane_vector broadcast(std::uint32_t value) {
  lane_vector lanes;
  lanes.fill(value);
  return lanes;
}

}  // namespace tc::warp
