// SPDX-License-Identifier: Apache-2.0
#include "kernel_header.hpp"

#include <algorithm>

namespace tc::trace {

lane_mask kernel_header::lanes_of_warp(unsigned warp) const {
  const std::uint64_t left = block.count() - std::uint64_t{warp} * warp_lanes;
  return left >= warp_lanes ? all_lanes : (lane_mask{1} << left) - 1;
}

const isa::tensor_map* kernel_header::find_tensor_map(std::uint64_t address) const {
  const auto found =
      std::find_if(tensor_maps.begin(), tensor_maps.end(), [&](const tensor_map_entry& entry) { return entry.address == address; });
  return found == tensor_maps.end() ? nullptr : &found->map;
}

}  // namespace tc::trace
