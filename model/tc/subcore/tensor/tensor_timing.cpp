// SPDX-License-Identifier: Apache-2.0
#include "tensor_timing.hpp"

#include <algorithm>

#include <systemc>

namespace tc::subcore {

namespace {

/// When the next tile is free in all of these buffers.
cycle_t next_free_tile(const operand_tiles::of_buffers& buffers) {
  cycle_t free = 0;
  for (const tile_ring* const each : buffers) free = std::max(free, each->next_free());
  return free;
}

/// Promises a tile of each, and returns which. `free` is then not before the next one is.
unsigned promise_tile(const operand_tiles::of_buffers& buffers, cycle_t release, cycle_t& free) {
  unsigned tile = 0;
  for (tile_ring* const each : buffers) {
    tile = each->promise(release);
    free = std::max(free, each->next_free());
  }
  return tile;
}

}  // namespace

tensor_timing::tensor_timing(const config::tensor_core_parameters& parameters, operand_tiles tiles)
    : tensor_timing(parameters.f32_accumulate_divider > 1, std::move(tiles)) {}

/// The first cycle from `compute` on in which the units are free for as long as the instruction needs them.
cycle_t tensor_timing::room_between_others(const tensor_demand& demand, cycle_t compute) const {
  for (const interval& taken : others_) {
    if (compute + demand.compute <= taken.begin) break;
    compute = std::max(compute, taken.end);
  }
  return compute;
}

void tensor_timing::take_units(cycle_t begin, cycle_t end, cycle_t now) {
  sc_assert(begin >= units_free_from() && end >= begin);
  while (!others_.empty() && others_.front().end <= now) others_.pop_front();
  if (!others_.empty() && others_.back().end == begin) {
    others_.back().end = end;
  } else {
    fabric::make_room(others_);
    others_.push_back({begin, end});
  }
  others_end_ = end;
}

links::stall_cause tensor_timing::wait_cause(const tensor_demand& demand) const {
  const cycle_t earliest = earliest_dispatch(demand);
  if (units_free_ >= earliest + demand.fill) return links::stall_cause::tensor_busy;
  // Tiles of accumulators are how the rate of throttled sums is kept: more of them would be held the longer.
  if (throttles_sums_ && next_free_tile(tiles_.accumulators) >= earliest) return links::stall_cause::tensor_busy;
  return buses_free_ >= earliest ? links::stall_cause::operand_bus : links::stall_cause::buffer_full;
}

void tensor_timing::reserve(const tensor_demand& demand, cycle_t dispatch, links::tensor_schedule& schedule) {
  sc_assert(dispatch == earliest_dispatch(demand, dispatch));
  schedule.dispatch = dispatch;
  schedule.compute = dispatch + demand.fill;
  schedule.release = schedule.compute + demand.compute;
  schedule.accumulator_release = dispatch + demand.accumulate;
  schedule.products = dispatch + demand.products;
  schedule.result = dispatch + demand.result;
  schedule.beats = demand.beats;
  buses_free_ = operands_free_ = dispatch + demand.transfer;
  schedule.a_tile = promise_tile(tiles_.a, schedule.release, operands_free_);
  schedule.accumulator_tile = promise_tile(tiles_.accumulators, schedule.accumulator_release, operands_free_);
  schedule.b_tile = promise_tile(tiles_.b, schedule.release, operands_free_);
  units_free_ = schedule.release;
  schedule.busy_from = std::max(schedule.compute, busy_until_);
  schedule.busy_until = busy_until_ = schedule.busy_from + demand.busy;
}

}  // namespace tc::subcore
