// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>

namespace tc::memory {

using fabric::cycle_t;

/// The cycles in which the banks of a shared memory are taken. A wavefront takes them all for a fixed number of cycles; one that comes
/// later may go into a gap that earlier ones left.
class bank_calendar {
 public:
  explicit bank_calendar(unsigned wavefront_cycles) : wavefront_cycles_(wavefront_cycles) {}

  /// Takes the first free cycles for a wavefront from `earliest` on; its first cycle.
  cycle_t take(cycle_t earliest) {
    cycle_t start = next_free(std::max(earliest, past_));
    if (wavefront_cycles_ > 1) start = next_gap(start);
    for (cycle_t cycle = start; cycle < start + wavefront_cycles_; ++cycle) mark(cycle);
    return start;
  }

  /// Nobody gets cycles before this one any more.
  void forget_before(cycle_t cycle);

 private:
  static constexpr unsigned word_cycles = 64;

  std::uint64_t& word_of(cycle_t cycle) { return words_[cycle / word_cycles & last_word_]; }
  bool is_kept(cycle_t cycle) const { return cycle / word_cycles - past_ / word_cycles <= last_word_; }
  /// The first free cycle from one on that is not forgotten.
  cycle_t next_free(cycle_t cycle) {
    for (; is_kept(cycle); cycle = (cycle / word_cycles + 1) * word_cycles) {
      const std::uint64_t free = ~word_of(cycle) >> cycle % word_cycles;
      if (free != 0) return cycle + static_cast<unsigned>(__builtin_ctzll(free));
    }
    return cycle;
  }
  cycle_t next_gap(cycle_t start);
  void mark(cycle_t cycle) {
    if (!is_kept(cycle)) reach(cycle);
    sc_assert(cycle >= past_ && (word_of(cycle) >> cycle % word_cycles & 1U) == 0);
    word_of(cycle) |= std::uint64_t{1} << cycle % word_cycles;
  }
  void reach(cycle_t cycle);

  unsigned wavefront_cycles_;
  cycle_t past_ = 0;  // first cycle not forgotten
  std::size_t last_word_ = 3;
  std::vector<std::uint64_t> words_ = {0, 0, 0, 0};  // a bit for each cycle from there on that may be taken, in a ring; a power of two
};

}  // namespace tc::memory
