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

namespace {

void take_addresses(const trace::address_list& addresses, warp::warp_step& step) {
  if (addresses.lanes() == trace::all_lanes)
    step.addresses = addresses.by_lane();
  else if (!addresses.empty())
    trace::for_each_lane(addresses.lanes(), [&](unsigned lane) { step.addresses[lane] = addresses[lane]; });
}

}  // namespace

bool warp_feed::next(std::uint32_t slot, warp::warp_step& step) {
  if (!play_step(owner_, *players_[slot], played_)) return false;
  step.code = played_.code;
  step.mask = played_.mask;
  step.pc = played_.pc;
  step.line = static_cast<std::uint32_t>(played_.line);
  take_addresses(played_.addresses, step);
  return true;
}

void warp_feed::issues(std::uint32_t slot, warp::warp_step& step, fabric::cycle_t cycle) {
  played_.pc = step.pc;
  issue_step(owner_, *players_[slot], played_, cycle);
  step.code = played_.code;
  step.mask = played_.mask;
  step.condition = played_.condition;
  step.access = played_.access;
  take_addresses(played_.addresses, step);
}

void warp_feed::performed(std::uint32_t slot, std::uint32_t access) { perform_access(owner_, *players_[slot], access); }

}  // namespace tc::device
