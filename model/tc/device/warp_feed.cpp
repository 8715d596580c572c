// SPDX-License-Identifier: Apache-2.0
#include "warp_feed.hpp"

#include <systemc>

#include <tc/device/trace_content.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::device {

std::uint32_t warp_feed::free_slot() const {
  std::uint32_t slot = 0;
  while (slot < players_.size() && occupied(slot)) ++slot;
  sc_assert(slot < players_.size());
  return slot;
}

bool warp_feed::next(std::uint32_t slot, warp::warp_step& step) {
  if (!play_step(owner_, *players_[slot], played_)) return false;
  step.code = played_.code;
  step.mask = played_.mask;
  step.pc = played_.pc;
  step.line = static_cast<std::uint32_t>(played_.line);
  if (played_.addresses.lanes() == trace::all_lanes)
    step.addresses = played_.addresses.by_lane();
  else if (!played_.addresses.empty())
    trace::for_each_lane(played_.addresses.lanes(), [&](unsigned lane) { step.addresses[lane] = played_.addresses[lane]; });
  return true;
}

}  // namespace tc::device
