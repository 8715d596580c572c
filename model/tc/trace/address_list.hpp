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

 private:
  std::array<std::uint64_t, warp_lanes> lane_{};
  lane_mask lanes_ = 0;
};

}  // namespace tc::trace
