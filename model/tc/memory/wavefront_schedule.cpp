// SPDX-License-Identifier: Apache-2.0
#include "wavefront_schedule.hpp"

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

void wavefront_schedule::turn_list::add(const turn& added) {
  if (size() == 0 || turns_.back().access <= added.access) return turns_.push_back(added);
  const auto is_before = [](std::uint64_t access, const turn& other) { return access < other.access; };  // streams of a port overlap
  const auto first = turns_.begin() + static_cast<std::ptrdiff_t>(first_);
  turns_.insert(std::upper_bound(first, turns_.end(), added.access, is_before), added);
}

void wavefront_schedule::turn_list::leave(std::uint64_t access) {
  while (size() != 0 && turns_[first_].access < access) ++first_;
  if (2 * first_ < turns_.size()) return;
  turns_.erase(turns_.begin(), turns_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

void wavefront_schedule::announce(wavefront_source source, std::uint64_t access, cycle_t arrival, unsigned count) {
  announced_.push_back({arrival, source, access, count});
}

cycle_t wavefront_schedule::end_of(wavefront_source source, std::uint64_t access, unsigned index, cycle_t arrival) {
  settle(arrival);
  return end_of(begin(source.port, access), source, access, index, arrival);
}

wavefront_schedule::ends wavefront_schedule::ends_of(wavefront_source source, std::uint64_t access, unsigned count, cycle_t arrival) {
  settle(arrival);
  const turn_list& turns = begin(source.port, access);
  const unsigned duration = cycles_.wavefront_cycles;
  // Those of a warp take their turns one after the other: mostly the first and the last tell it all.
  if (!source.is_stream() && count <= turns.size() && turns[count - 1].access == access && turns[0].start >= arrival)
    return {turns[0].start + duration, turns[count - 1].start + duration};
  ends all{end_of(turns, source, access, 0, arrival), 0};
  all.last = all.first;
  for (unsigned index = 1; index < count; ++index) {
    const cycle_t end = end_of(turns, source, access, index, arrival);
    all.first = std::min(all.first, end);
    all.last = std::max(all.last, end);
  }
  return all;
}

/// The turns of a port, which has left behind what came before its current access.
const wavefront_schedule::turn_list& wavefront_schedule::begin(unsigned port, std::uint64_t access) {
  turn_list& turns = state_of(port).turns;
  turns.leave(access);
  return turns;
}

/// When everything announced up to the arrival has its place.
cycle_t wavefront_schedule::end_of(const turn_list& turns, wavefront_source source, std::uint64_t access, unsigned index, cycle_t arrival) {
  if (index >= turns.size() || turns[index].access != access) return reserve(source, arrival);
  if (turns[index].start < arrival && !source.is_stream()) return reserve(source, arrival);
  return std::max(turns[index].start, arrival) + cycles_.wavefront_cycles;
}

cycle_t wavefront_schedule::reserve(wavefront_source source, cycle_t arrival) {
  settle(arrival);
  return take(state_of(source.port), source, arrival) + cycles_.wavefront_cycles;
}

std::uint64_t wavefront_schedule::rank(const request& each) const {
  constexpr std::uint64_t most = (std::uint64_t{1} << 32) - 1;
  return ties_.is_on() ? ties_.draw(most, each.source.port, each.arrival) : each.source.port;
}

/// Gives a place to everything announced for cycles up to `arrival`.
void wavefront_schedule::settle(cycle_t arrival) {
  const auto earlier = [this](const request& a, const request& b) {
    return a.arrival != b.arrival ? a.arrival < b.arrival : rank(a) < rank(b);
  };
  while (!announced_.empty()) {
    const auto next = std::min_element(announced_.begin(), announced_.end(), earlier);
    if (next->arrival > arrival) break;
    banks_.forget_before(next->arrival);  // else the calendar would reach back to when the banks were last in use
    place(*next);
    if (next->count == 0) announced_.erase(next);
  }
  banks_.forget_before(arrival);
}

/// Gives a place to all wavefronts of a request that arrive together.
void wavefront_schedule::place(request& next) {
  port_state& port = state_of(next.source.port);
  for (unsigned together = next.source.is_stream() ? 1 : next.count; together > 0; --together, --next.count)
    port.turns.add({next.access, take(port, next.source, next.arrival)});
  next.arrival += next.source.interval;
}

/// The start of the next wavefront of a source.
cycle_t wavefront_schedule::take(port_state& port, wavefront_source source, cycle_t arrival) {
  if (source.is_stream()) return banks_.take(arrival);
  if (source.warp >= port.next.size()) port.next.resize(source.warp + 1);
  cycle_t& next = port.next[source.warp];
  const cycle_t start = banks_.take(std::max(arrival, next));
  next = start + cycles_.warp_wavefront_cycles;
  return start;
}

void wavefront_schedule::reset() { *this = wavefront_schedule(cycles_, ties_); }

}  // namespace tc::memory
