#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include <tc/fabric/clocked.hpp>

namespace tc::device {

/// Warps of a CTA: bit w stands for warp w. A block has at most 1024 threads.
using warp_set = std::uint32_t;

/// The barriers of one CTA. A barrier opens when every warp of the block has arrived or exited; a warp that the trace does not hold does
/// neither.
class cta_barrier {
 public:
  static constexpr unsigned barriers = 16;  ///< of a CTA (PTX ISA, bar)

  /// Warps that may go on, and the cycle in which the last arrival or exit that they waited for happened.
  struct release {
    warp_set warps = 0;
    fabric::cycle_t cycle = 0;
  };

  explicit cta_barrier(unsigned warps = 0) : block_(warps >= 32 ? ~warp_set{0} : (warp_set{1} << warps) - 1) {}

  release arrive(unsigned barrier, unsigned warp, fabric::cycle_t cycle) {
    state& at = state_[barrier];
    at.arrived |= warp_set{1} << warp;
    at.latest = std::max(at.latest, cycle);
    return open(at);
  }

  release exit(unsigned warp, fabric::cycle_t cycle) {
    exited_ |= warp_set{1} << warp;
    release all;
    for (state& at : state_) {
      if (at.arrived == 0) continue;
      at.latest = std::max(at.latest, cycle);
      const release opened = open(at);
      all.warps |= opened.warps;
      all.cycle = std::max(all.cycle, opened.cycle);
    }
    return all;
  }

  warp_set arrived(unsigned barrier) const { return state_[barrier].arrived; }
  /// Warps that a barrier with arrivals still waits for.
  warp_set missing(unsigned barrier) const { return block_ & ~(state_[barrier].arrived | exited_); }
  warp_set exited() const { return exited_; }

 private:
  struct state {
    warp_set arrived = 0;
    fabric::cycle_t latest = 0;
  };

  release open(state& at) const {
    if ((at.arrived | exited_) != block_) return {};
    const release opened{at.arrived & ~exited_, at.latest};
    at = {};
    return opened;
  }

  warp_set block_;
  warp_set exited_ = 0;
  std::array<state, barriers> state_{};
};

}  // namespace tc::device
