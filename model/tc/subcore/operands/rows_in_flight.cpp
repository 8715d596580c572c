#include "rows_in_flight.hpp"

#include <algorithm>

namespace tc::subcore {

void rows_in_flight::queue::clear_away() {
  order_.erase(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

void rows_in_flight::find_next() {
  next_arrival_ = never;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    if (queues_[i].is_empty() || queues_[i].front().arrival >= next_arrival_) continue;
    next_arrival_ = queues_[i].front().arrival;
    next_ = i;
  }
}

void rows_in_flight::look_ahead(fabric::cycle_t cycle, std::uint32_t row, lane_vector& value) const {
  std::vector<const row_write*> writes;
  for (const queue& waiting : queues_)
    for (const row_write& write : waiting)
      if (write.row == row && write.arrival <= cycle) writes.push_back(&write);
  std::stable_sort(writes.begin(), writes.end(), [](const row_write* a, const row_write* b) { return a->arrival < b->arrival; });
  for (const row_write* write : writes) write->write_to(value);
}

void rows_in_flight::grow() { free_.push_back(&values_.emplace_back(std::make_unique<memory>())->lanes); }

void rows_in_flight::clear() {
  queues_.clear();
  next_ = 0;
  next_arrival_ = never;
  values_.clear();
  free_.clear();
}

}  // namespace tc::subcore
