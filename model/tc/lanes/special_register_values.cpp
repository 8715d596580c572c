// SPDX-License-Identifier: Apache-2.0
#include <tc/isa/special_register.hpp>
#include <tc/lanes/lane_operations.hpp>

namespace tc::lanes {

namespace {

/// Threads of a block are numbered with x fastest, and dealt to warps in that order (CUDA C++ Programming Guide, thread hierarchy).
std::uint32_t thread_id(const warp::warp_context& warp, unsigned dimension, unsigned lane) {
  const std::uint32_t thread = warp.warp_in_cta * warp::lanes_per_warp + lane;
  const auto [x, y, z] = warp.block;
  switch (dimension) {
    case 0:
      return thread % x;
    case 1:
      return thread / x % y;
    default:
      return thread / x / y % z;
  }
}

template <class Value>
void fill(warp::lane_vector& lanes, Value value) {
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) lanes[lane] = value(lane);
}

}  // namespace

bool read_special_register(std::uint8_t special_register, const warp::warp_context& warp, std::uint64_t clock, warp::lane_vector& low,
                           warp::lane_vector& high) {
  using reg = isa::special_register;
  const auto which = static_cast<reg>(special_register);
  high = warp::lane_vector{};
  switch (which) {
    case reg::zero:
      low = warp::lane_vector{};
      return true;
    case reg::tid_x:
    case reg::tid_y:
    case reg::tid_z:
      fill(low, [&](unsigned lane) { return thread_id(warp, static_cast<unsigned>(which) - static_cast<unsigned>(reg::tid_x), lane); });
      return true;
    case reg::ctaid_x:
    case reg::ctaid_y:
    case reg::ctaid_z:
      low = warp::broadcast(warp.cta_id[static_cast<unsigned>(which) - static_cast<unsigned>(reg::ctaid_x)]);
      return true;
    case reg::lane_id:
      fill(low, [](unsigned lane) { return lane; });
      return true;
    case reg::clock_low:
      low = warp::broadcast(static_cast<std::uint32_t>(clock));
      high = warp::broadcast(static_cast<std::uint32_t>(clock >> 32U));
      return true;
    case reg::clock_high:
      low = warp::broadcast(static_cast<std::uint32_t>(clock >> 32U));
      return true;
    case reg::lane_mask_eq:
      fill(low, [](unsigned lane) { return 1U << lane; });
      return true;
    case reg::lane_mask_lt:
      fill(low, [](unsigned lane) { return (1U << lane) - 1; });
      return true;
    case reg::lane_mask_le:
      fill(low, [](unsigned lane) { return (1U << lane) | ((1U << lane) - 1); });
      return true;
    case reg::lane_mask_gt:
      fill(low, [](unsigned lane) { return ~((1U << lane) | ((1U << lane) - 1)); });
      return true;
    case reg::lane_mask_ge:
      fill(low, [](unsigned lane) { return ~((1U << lane) - 1); });
      return true;
    case reg::cluster_cta_id:
      low = warp::broadcast(warp.cluster_rank);
      return true;
    default:
      return false;
  }
}

}  // namespace tc::lanes
