#pragma once

#include <array>
#include <cstdint>

#include <tc/trace/lanes.hpp>

namespace tc::trace {

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
