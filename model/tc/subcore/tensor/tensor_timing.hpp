// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <utility>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/fabric/growing_queue.hpp>
#include <tc/links/stall_cause.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>
#include <tc/subcore/tensor/tile_ring.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The reservations of the tensor cores: operand buses and dot-product units, which are kept here, and tiles of the operand buffers, which
/// are asked for theirs. Instructions are taken in order, and only if they will not wait between filling and computing; what they wait for,
/// they wait for before their dispatch.
///
/// The steady interval of equal instructions is thereby the largest of bus transfer, dot-product passes and sequencer with buffers of two
/// tiles, and fill plus computing with one.
///
/// Others take the dot-product units too, ahead of time and in an order of their own. An instruction computes before, between or behind
/// what they have taken, where its cycles fit.
class tensor_timing {
 public:
  /// The tiles outlive it.
  tensor_timing(const config::tensor_core_parameters& parameters, operand_tiles tiles);

  /// First cycle in which such an instruction could be dispatched.
  cycle_t earliest_dispatch(const tensor_demand& demand) const {
    return units_free_ > operands_free_ + demand.fill ? units_free_ - demand.fill : operands_free_;
  }

  /// The same, not before `wanted`, where what others have taken leaves it room.
  cycle_t earliest_dispatch(const tensor_demand& demand, cycle_t wanted) const {
    const cycle_t own = std::max(wanted, earliest_dispatch(demand));
    return own + demand.fill >= others_end_ ? own : room_between_others(demand, own + demand.fill) - demand.fill;
  }

  /// Whether others have taken units from this cycle on.
  bool is_taken_from(cycle_t cycle) const { return others_end_ > cycle; }

  /// The first cycle in which the units are free, and stay so.
  cycle_t units_free_from() const { return std::max(units_free_, others_end_); }

  /// Others take the units from `begin`, which is not before units_free_from(), to before `end`. What has ended by `now` is over.
  void take_units(cycle_t begin, cycle_t end, cycle_t now);

  /// What such an instruction waits for until then: of several, what is free last.
  links::stall_cause wait_cause(const tensor_demand& demand) const;

  /// Takes everything the instruction needs, and says in `schedule` when it is where. `dispatch` is not before earliest_dispatch(), and is
  /// a cycle that it gives.
  void reserve(const tensor_demand& demand, cycle_t dispatch, links::tensor_schedule& schedule);

  /// Nothing is reserved. The tiles are reset by the buffers that have them.
  void reset() { *this = tensor_timing(throttles_sums_, std::move(tiles_)); }

 private:
  tensor_timing(bool throttles_sums, operand_tiles tiles) : throttles_sums_(throttles_sums), tiles_(std::move(tiles)) {}

  struct interval {
    cycle_t begin, end;
  };

  cycle_t room_between_others(const tensor_demand& demand, cycle_t compute) const;

  bool throttles_sums_;
  operand_tiles tiles_;
  cycle_t buses_free_ = 0;
  cycle_t operands_free_ = 0;  ///< buses, and a tile of each buffer
  cycle_t units_free_ = 0;
  cycle_t busy_until_ = 0;                  ///< the busy cycles of all instructions so far, one after the other
  fabric::growing_queue<interval> others_;  ///< what others have taken, in order
  cycle_t others_end_ = 0;                  ///< end of the last
};

}  // namespace tc::subcore
