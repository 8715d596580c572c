// SPDX-License-Identifier: Apache-2.0
#include "bank_calendar.hpp"

#include <algorithm>
#include <utility>

namespace tc::memory {

/// The start of the first gap that is long enough, from a free cycle on.
cycle_t bank_calendar::next_gap(cycle_t start) {
  for (cycle_t end = start + 1; end < start + wavefront_cycles_;) {
    const cycle_t free = next_free(end);
    if (free != end) start = free;
    end = free + 1;
  }
  return start;
}

/// Keeps more words, so that a cycle has its bit.
void bank_calendar::reach(cycle_t cycle) {
  while (!is_kept(cycle)) {
    std::vector<std::uint64_t> more(2 * words_.size());
    const cycle_t first = past_ / word_cycles;
    for (cycle_t word = first; word <= first + last_word_; ++word) more[word & (more.size() - 1)] = word_of(word * word_cycles);
    words_ = std::move(more);
    last_word_ = words_.size() - 1;
  }
}

void bank_calendar::forget_before(cycle_t cycle) {
  if (cycle <= past_) return;
  const cycle_t first = past_ / word_cycles, last = std::min<cycle_t>(cycle / word_cycles, first + words_.size());
  for (cycle_t word = first; word < last; ++word) word_of(word * word_cycles) = 0;
  past_ = cycle;
}

}  // namespace tc::memory
