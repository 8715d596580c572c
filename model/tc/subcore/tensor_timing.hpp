#pragma once

#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/subcore/stall_cause.hpp>
#include <tc/subcore/tensor_demand.hpp>
#include <tc/subcore/tensor_schedule.hpp>

namespace tc::subcore {

/// Goes round the tiles of an operand buffer.
class tile_counter {
 public:
  explicit tile_counter(unsigned depth_tiles) : depth_(depth_tiles) {}

  unsigned next() const { return next_; }
  void advance() { next_ = next_ + 1 == depth_ ? 0 : next_ + 1; }

 private:
  unsigned depth_;
  unsigned next_ = 0;
};

/// The reservations of the tensor cores: operand buses, tiles of the operand buffers, dot-product units. Instructions are taken in order,
/// and only if they will not wait between filling and computing; what they wait for, they wait for before their dispatch.
///
/// The steady interval of equal instructions is thereby the largest of bus transfer, dot-product passes and sequencer with buffers of two
/// tiles, and fill plus computing with one.
class tensor_timing {
 public:
  explicit tensor_timing(const config::tensor_core_parameters& parameters);

  /// First cycle in which such an instruction could be dispatched.
  cycle_t earliest_dispatch(const tensor_demand& demand) const;

  /// What such an instruction waits for until then: of several, what is free last.
  stall_cause wait_cause(const tensor_demand& demand) const;

  /// Takes everything the instruction needs. `dispatch` is not before earliest_dispatch().
  void reserve(const tensor_demand& demand, cycle_t dispatch);

 private:
  /// The tiles of one operand buffer, taken in turn.
  struct tile_ring {
    explicit tile_ring(unsigned depth_tiles) : free_at(depth_tiles), turn(depth_tiles) {}

    cycle_t next_free() const { return free_at[turn.next()]; }
    void take(cycle_t release) {
      free_at[turn.next()] = release;
      turn.advance();
    }

    std::vector<cycle_t> free_at;
    tile_counter turn;
  };

  tile_ring a_, accumulators_, b_;
  cycle_t buses_free_ = 0;
  cycle_t units_free_ = 0;
};

/// When an instruction dispatched in a given cycle is where; the tiles are left to the caller.
tensor_schedule schedule_of(const tensor_demand& demand, cycle_t dispatch);

}  // namespace tc::subcore
