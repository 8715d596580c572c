#pragma once

#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::memory {

using fabric::cycle_t;

/// The cycles in which the banks of a shared memory are taken. A wavefront takes them all for a fixed number of cycles; one that comes
/// later may go into a gap that earlier ones left.
class bank_calendar {
 public:
  explicit bank_calendar(unsigned wavefront_cycles) : wavefront_cycles_(wavefront_cycles) {}

  /// Takes the first free cycles for a wavefront from `earliest` on; its first cycle.
  cycle_t take(cycle_t earliest);

  /// Nobody gets cycles before this one any more.
  void forget_before(cycle_t cycle);

 private:
  struct span {
    cycle_t begin;
    cycle_t end;
  };

  unsigned wavefront_cycles_;
  cycle_t past_ = 0;         // first cycle not forgotten
  std::vector<span> taken_;  // ascending, with gaps in between
};

}  // namespace tc::memory
