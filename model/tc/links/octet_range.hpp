// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tc/warp/lane_vector.hpp>

namespace tc::links {

/// Threadgroups of a warp: threadgroup g is the lanes 4g to 4g + 3.
inline constexpr unsigned threadgroups_per_warp = 8, lanes_per_threadgroup = 4;

/// A bit for each lane.
constexpr std::uint32_t lanes_of_threadgroup(unsigned g) { return 0xfu << (g * lanes_per_threadgroup); }

/// Octets of a warp: octet X is the threadgroups X and X + 4 (Raihan et al., ISPASS 2019, table II).
inline constexpr unsigned octets_per_warp = 4;

/// Neighbouring octets, as one tensor core has them.
struct octet_range {
  unsigned first = 0, count = octets_per_warp;

  unsigned threadgroups() const { return 2 * count; }
  /// Threadgroup `i` of the range: the lower ones of the octets, then the upper ones.
  unsigned threadgroup(unsigned i) const { return i < count ? first + i : first + octets_per_warp + i - count; }
  unsigned first_lane() const { return first * lanes_per_threadgroup; }

  /// Copies the lanes of these octets.
  void copy_lanes(const warp::lane_vector& from, warp::lane_vector& to) const {
    constexpr unsigned upper = octets_per_warp * lanes_per_threadgroup;
    std::copy_n(&from[first_lane()], count * lanes_per_threadgroup, &to[first_lane()]);
    std::copy_n(&from[first_lane() + upper], count * lanes_per_threadgroup, &to[first_lane() + upper]);
  }
};

/// The octets of tensor core `index` of `count`.
inline octet_range octets_of(unsigned index, unsigned count) {
  const unsigned each = octets_per_warp / count;
  return {index * each, each};
}

}  // namespace tc::links
