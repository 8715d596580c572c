// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/links/warp_instruction.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The vector registers that the last instructions of fixed latency have yet to write, and when they can be read.
class results_in_flight {
 public:
  /// The instruction has issued; its results can be read from this cycle on.
  void add(const links::warp_instruction& instruction, cycle_t readable);

  /// The cycle from which a register of a warp can be read; 0 if nobody is about to write it.
  cycle_t readable(std::uint32_t warp_slot, unsigned index) const;

  /// Whether any register is waited for in this cycle; a quick question.
  bool any(cycle_t cycle) const { return cycle < latest_; }

 private:
  /// More than the presets need: at most one result a cycle, the longest latency 6. A result with so many behind it narrows no window.
  static constexpr std::size_t entries = 16;
  struct entry {
    cycle_t readable = 0;
    std::uint32_t warp_slot = 0;
    std::uint16_t first = 0, count = 0;
  };
  std::array<entry, entries> ring_{};
  std::size_t next_ = 0;
  cycle_t latest_ = 0;
};

}  // namespace tc::subcore
