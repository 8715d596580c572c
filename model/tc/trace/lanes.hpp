// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/warp_lanes.hpp>

namespace tc::trace {

/// Threads of a warp.
inline constexpr unsigned warp_lanes = isa::lanes_per_warp;

/// A set of lanes: bit l stands for lane l.
using isa::lane_mask;
inline constexpr lane_mask all_lanes = isa::all_warp_lanes;

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

/// The byte addresses that the lanes of a warp hand to one memory instruction.
class address_list {
 public:
  /// Lanes that have an address: the active ones, all 32 for matrix loads and stores, none if the instruction accesses no memory.
  lane_mask lanes() const { return lanes_; }
  bool empty() const { return lanes_ == 0; }
  /// Address of a lane of lanes().
  std::uint64_t operator[](unsigned lane) const { return lane_[lane]; }

  void clear() { lanes_ = 0; }
  void set(unsigned lane, std::uint64_t address) {
    lane_[lane] = address;
    lanes_ |= lane_mask{1} << lane;
  }
  /// An address of every lane: `offset` bytes behind those of a list.
  void set_all(const std::array<std::uint64_t, warp_lanes>& addresses, std::uint64_t offset) {
    for (unsigned lane = 0; lane < warp_lanes; ++lane) lane_[lane] = addresses[lane] + offset;
    lanes_ = all_lanes;
  }
  /// The addresses of all lanes; those of lanes() mean something.
  const std::array<std::uint64_t, warp_lanes>& by_lane() const { return lane_; }
  /// Addresses of these lanes, which are not none: `first` in the lowest one, and `stride` more in each lane after it.
  void set_strided(lane_mask lanes, std::uint64_t first, std::uint64_t stride) {
    std::uint64_t address = first - stride * first_lane(lanes);
    for (std::uint64_t& each : lane_) {
      each = address;
      address += stride;
    }
    lanes_ = lanes;
  }

 private:
  std::array<std::uint64_t, warp_lanes> lane_{};
  lane_mask lanes_ = 0;
};

}  // namespace tc::trace
