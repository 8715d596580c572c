#include <algorithm>
#include <tuple>

#include <tc/memory/wavefront_schedule.hpp>

namespace tc::memory {

void wavefront_schedule::announce(unsigned port, std::uint64_t access, cycle_t arrival, unsigned count) {
  announced_.push_back({arrival, port, access, count});
}

cycle_t wavefront_schedule::end_of(unsigned port, std::uint64_t access, unsigned index, cycle_t arrival) {
  settle(arrival);
  std::vector<reservation>& own = reservations_of(port);
  const auto current = std::find_if(own.begin(), own.end(), [&](const reservation& r) { return r.access >= access; });
  own.erase(own.begin(), current);  // a port has left behind what came before its current access
  if (own.empty() || own.front().access != access || index >= own.front().count) return reserve(arrival);
  const cycle_t start = own.front().start + cycle_t{index} * wavefront_cycles_;
  return start < arrival ? reserve(arrival) : start + wavefront_cycles_;
}

cycle_t wavefront_schedule::reserve(cycle_t arrival) {
  settle(arrival);
  free_ = std::max(free_, arrival) + wavefront_cycles_;
  return free_;
}

/// Gives a place to everything announced for cycles up to `arrival`.
void wavefront_schedule::settle(cycle_t arrival) {
  const auto earlier = [](const request& a, const request& b) { return std::tie(a.arrival, a.port) < std::tie(b.arrival, b.port); };
  while (!announced_.empty()) {
    const auto next = std::min_element(announced_.begin(), announced_.end(), earlier);
    if (next->arrival > arrival) return;
    const cycle_t start = std::max(free_, next->arrival);
    free_ = start + cycle_t{next->count} * wavefront_cycles_;
    reservations_of(next->port).push_back({next->access, start, next->count});
    announced_.erase(next);
  }
}

std::vector<wavefront_schedule::reservation>& wavefront_schedule::reservations_of(unsigned port) {
  if (port >= reservations_.size()) reservations_.resize(port + 1);
  return reservations_[port];
}

void wavefront_schedule::reset() { *this = wavefront_schedule(wavefront_cycles_); }

}  // namespace tc::memory
