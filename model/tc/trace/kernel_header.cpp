#include <tc/trace/kernel_header.hpp>

namespace tc::trace {

lane_mask kernel_header::lanes_of_warp(unsigned warp) const {
  const std::uint64_t left = block.count() - std::uint64_t{warp} * warp_lanes;
  return left >= warp_lanes ? all_lanes : (lane_mask{1} << left) - 1;
}

}  // namespace tc::trace
