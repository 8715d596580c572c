#pragma once

#include <cstddef>
#include <cstdint>
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
  static constexpr unsigned word_cycles = 64;

  std::uint64_t& word_of(cycle_t cycle) { return words_[cycle / word_cycles & (words_.size() - 1)]; }
  bool is_kept(cycle_t cycle) const { return cycle / word_cycles - past_ / word_cycles < words_.size(); }
  cycle_t next_free(cycle_t cycle);
  void mark(cycle_t cycle);

  unsigned wavefront_cycles_;
  cycle_t past_ = 0;                                 // first cycle not forgotten
  std::vector<std::uint64_t> words_ = {0, 0, 0, 0};  // a bit for each cycle from there on that may be taken, in a ring; a power of two
};

}  // namespace tc::memory
