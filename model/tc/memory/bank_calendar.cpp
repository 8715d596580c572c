#include "bank_calendar.hpp"

#include <algorithm>
#include <utility>

namespace tc::memory {

cycle_t bank_calendar::take(cycle_t earliest) {
  cycle_t start = next_free(std::max(earliest, past_)), end = start + 1;
  while (end < start + wavefront_cycles_) {
    const cycle_t free = next_free(end);
    if (free != end) start = free;
    end = free + 1;
  }
  for (cycle_t cycle = start; cycle < end; ++cycle) mark(cycle);
  return start;
}

/// The first free cycle from one on that is not forgotten.
cycle_t bank_calendar::next_free(cycle_t cycle) {
  while (is_kept(cycle)) {
    const std::uint64_t free = ~word_of(cycle) >> cycle % word_cycles;
    if (free != 0) return cycle + static_cast<unsigned>(__builtin_ctzll(free));
    cycle = (cycle / word_cycles + 1) * word_cycles;
  }
  return cycle;
}

void bank_calendar::mark(cycle_t cycle) {
  while (!is_kept(cycle)) {
    std::vector<std::uint64_t> more(2 * words_.size());
    const cycle_t first = past_ / word_cycles;
    for (cycle_t word = first; word < first + words_.size(); ++word) more[word & (more.size() - 1)] = word_of(word * word_cycles);
    words_ = std::move(more);
  }
  word_of(cycle) |= std::uint64_t{1} << cycle % word_cycles;
}

void bank_calendar::forget_before(cycle_t cycle) {
  if (cycle <= past_) return;
  const cycle_t first = past_ / word_cycles, last = std::min<cycle_t>(cycle / word_cycles, first + words_.size());
  for (cycle_t word = first; word < last; ++word) word_of(word * word_cycles) = 0;
  past_ = cycle;
}

}  // namespace tc::memory
