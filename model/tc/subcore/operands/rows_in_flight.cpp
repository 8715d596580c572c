#include "rows_in_flight.hpp"

#include <algorithm>

namespace tc::subcore {

/// Moves those that arrive later than that.
std::size_t rows_in_flight::make_place(fabric::cycle_t arrival) {
  std::size_t place = count_;
  for (; place > 0 && at(place - 1).arrival > arrival; --place) at(place) = at(place - 1);
  return place;
}

void rows_in_flight::grow() {
  std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(head_), ring_.end());
  head_ = 0;
  ring_.resize(std::max<std::size_t>(16, 2 * ring_.size()));
  mask_ = ring_.size() - 1;
}

}  // namespace tc::subcore
