// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/links/stall_cause.hpp>
#include <tc/links/tensor_core_links.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The reservations of the tensor cores: operand buses, tiles of the operand buffers, dot-product units. Instructions are taken in order,
/// and only if they will not wait between filling and computing; what they wait for, they wait for before their dispatch.
///
/// The steady interval of equal instructions is thereby the largest of bus transfer, dot-product passes and sequencer with buffers of two
/// tiles, and fill plus computing with one.
class tensor_timing {
 public:
  explicit tensor_timing(const config::tensor_core_parameters& parameters);

  /// First cycle in which such an instruction could be dispatched.
  cycle_t earliest_dispatch(const tensor_demand& demand) const {
    return units_free_ > operands_free_ + demand.fill ? units_free_ - demand.fill : operands_free_;
  }

  /// What such an instruction waits for until then: of several, what is free last.
  links::stall_cause wait_cause(const tensor_demand& demand) const;

  /// Takes everything the instruction needs, and says in `schedule` when it is where. `dispatch` is not before earliest_dispatch().
  void reserve(const tensor_demand& demand, cycle_t dispatch, links::tensor_schedule& schedule);

 private:
  /// The tiles of one operand buffer, taken in turn.
  struct tile_ring {
    explicit tile_ring(unsigned depth_tiles) : free_at(depth_tiles) {}

    cycle_t next_free() const { return free_at[next]; }
    /// Returns the tile.
    unsigned take(cycle_t release) {
      const unsigned taken = next;
      free_at[taken] = release;
      next = taken + 1 == free_at.size() ? 0 : taken + 1;
      return taken;
    }

    std::vector<cycle_t> free_at;
    unsigned next = 0;
  };

  bool throttles_sums_;
  tile_ring a_, accumulators_, b_;
  cycle_t buses_free_ = 0;
  cycle_t operands_free_ = 0;  ///< buses, and a tile of each buffer
  cycle_t units_free_ = 0;
  cycle_t busy_until_ = 0;  ///< the busy cycles of all instructions so far, one after the other
};

}  // namespace tc::subcore
