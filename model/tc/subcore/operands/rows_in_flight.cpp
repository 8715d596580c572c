#include "rows_in_flight.hpp"

#include <algorithm>

namespace tc::subcore {

/// Most rows arrive behind all others, for most results are of one latency.
lane_vector& rows_in_flight::add(fabric::cycle_t arrival, std::uint32_t row, std::uint32_t lanes) {
  if (count_ == ring_.size()) grow();
  std::size_t place = count_++;
  for (; place > 0 && at(place - 1).arrival > arrival; --place) at(place) = at(place - 1);
  row_write& added = at(place);
  added.arrival = arrival;
  added.row = row;
  added.lanes = lanes;
  return added.value;
}

void rows_in_flight::grow() {
  std::rotate(ring_.begin(), ring_.begin() + static_cast<std::ptrdiff_t>(head_), ring_.end());
  head_ = 0;
  ring_.resize(std::max<std::size_t>(16, 2 * ring_.size()));
}

}  // namespace tc::subcore
