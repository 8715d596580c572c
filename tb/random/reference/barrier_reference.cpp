// SPDX-License-Identifier: Apache-2.0
#include "barrier_reference.hpp"

#include "warp_state.hpp"

namespace tcsim::random_programs {

void barrier_objects::execute(const tc::isa::barrier_operation& operation, unsigned active_lanes) {
  using action = tc::isa::barrier_action;
  if (operation.action == action::initialise) {
    barriers_[operation.address] = {operation.count, operation.count, 0, 0};
    return;
  }
  if (operation.action == action::invalidate) {
    barriers_.erase(operation.address);
    return;
  }
  object& barrier = barriers_.at(operation.address);
  for (unsigned lane = 0; lane < active_lanes; ++lane) {
    switch (operation.action) {
      case action::arrive:
        if (operation.drop) barrier.expected -= operation.count;
        barrier.pending -= operation.count;
        break;
      case action::arrive_expect:
        barrier.bytes += operation.bytes;
        --barrier.pending;
        break;
      case action::expect:
        barrier.bytes += operation.bytes;
        break;
      case action::complete:
        barrier.bytes -= operation.bytes;
        break;
      default:
        throw not_executed("an operation on an mbarrier");
    }
    advance(barrier);
  }
}

void barrier_objects::complete(std::uint32_t address, std::int64_t bytes) {
  object& barrier = barriers_.at(address);
  barrier.bytes -= bytes;
  advance(barrier);
}

void barrier_objects::advance(object& barrier) {
  if (barrier.pending != 0 || barrier.bytes != 0) return;
  ++barrier.phase;
  barrier.pending = barrier.expected;
}

}  // namespace tcsim::random_programs
