// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/barrier_arrival.hpp>

namespace tc::device {

/// Warps of a CTA: bit w stands for warp w. A block has at most 1024 threads.
using warp_set = std::uint32_t;

/// The barriers of one CTA. A barrier for all warps of the block opens when each has arrived or exited; a warp that the trace does not hold
/// does neither. One for a number of warps opens with as many arrivals, whoever they are of; a warp that has exited is none (measured on an
/// H100).
class cta_barrier {
 public:
  /// Warps that may go on, and the cycle in which the last arrival or exit that they waited for happened.
  struct release {
    warp_set warps = 0;
    fabric::cycle_t cycle = 0;
  };

  /// What a barrier that has not opened knows.
  struct state {
    warp_set arrived = 0, waiting = 0;
    unsigned arrivals = 0;  ///< those of a warp that came twice, twice
    unsigned expected = 0;  ///< arrivals; 0: all warps
    fabric::cycle_t latest = 0;
  };

  explicit cta_barrier(unsigned warps = 0) : block_(warps >= 32 ? ~warp_set{0} : (warp_set{1} << warps) - 1) {}

  /// Whether those that are there wait for as many warps; all of the block, and as many as the block has, are not the same: an H100 then
  /// ends the kernel.
  bool agrees(const isa::barrier_arrival& arrival) const {
    const state& at = state_[arrival.barrier];
    return at.arrivals == 0 || at.expected == arrival.warps;
  }

  /// A warp arrives at a barrier with whose others it agrees.
  release arrive(const isa::barrier_arrival& arrival, unsigned warp, fabric::cycle_t cycle) {
    state& at = state_[arrival.barrier];
    at.arrived |= warp_set{1} << warp;
    if (arrival.waits) at.waiting |= warp_set{1} << warp;
    ++at.arrivals;
    at.expected = arrival.warps;
    at.latest = std::max(at.latest, cycle);
    return open(at);
  }

  release exit(unsigned warp, fabric::cycle_t cycle) {
    exited_ |= warp_set{1} << warp;
    release all;
    for (state& at : state_) {
      if (at.arrivals == 0 || at.expected != 0) continue;
      at.latest = std::max(at.latest, cycle);
      const release opened = open(at);
      all.warps |= opened.warps;
      all.cycle = std::max(all.cycle, opened.cycle);
    }
    return all;
  }

  const state& operator[](unsigned barrier) const { return state_[barrier]; }
  /// Warps that a barrier for all of them still waits for.
  warp_set missing(unsigned barrier) const { return block_ & ~(state_[barrier].arrived | exited_); }
  warp_set exited() const { return exited_; }

 private:
  release open(state& at) const {
    const bool opens = at.expected != 0 ? at.arrivals == at.expected : (at.arrived | exited_) == block_;
    if (!opens) return {};
    const release opened{at.waiting & ~exited_, at.latest};
    at = {};
    return opened;
  }

  warp_set block_;
  warp_set exited_ = 0;
  std::array<state, isa::barrier_arrival::barriers> state_{};
};

}  // namespace tc::device
