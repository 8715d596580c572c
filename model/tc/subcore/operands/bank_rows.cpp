#include "bank_rows.hpp"

#include <utility>

namespace tc::subcore {

void bank_rows::clear() {
  std::size_t bytes = (count_ + 1) * sizeof(lane_vector);
  memory_.reset(fabric::zeroed_allocator<std::uint8_t>().allocate(bytes));
  void* first = memory_.get();
  std::align(sizeof(lane_vector), bytes - sizeof(lane_vector), first, bytes);
  homes_ = static_cast<lane_vector*>(first);
  rows_ = fabric::zeroed_vector<row>(count_);
  sent_.clear();
  free_ = first_lent_ = last_lent_ = nullptr;
  spares_.clear();
}

/// Writes what has arrived by a cycle. What is for a whole row changes places with what was there.
void bank_rows::settle(std::size_t number, cycle_t cycle) {
  row& settled = rows_[number];
  lane_vector* place = place_of(number);
  while (settled.next != nullptr && settled.next->arrival <= cycle) {
    value_in_flight* const arrived = settled.next;
    if (arrived->lanes == all_lanes)
      std::swap(place, arrived->value);
    else
      arrived->write_to(*place);
    settled.next = arrived->next;
    arrived->next = free_;
    free_ = arrived;
  }
  settled.place = place;
}

lane_vector bank_rows::look_ahead(std::size_t number, cycle_t cycle) const {
  lane_vector value = *place_of(number);
  for (const value_in_flight* next = rows_[number].next; next != nullptr && next->arrival <= cycle; next = next->next)
    next->write_to(value);
  return value;
}

/// Settles rows in the order in which values were sent to them, up to one that has not arrived.
void bank_rows::settle_earlier(cycle_t now) {
  for (; !sent_.empty(); sent_.pop_front()) {
    const value_in_flight* const next = rows_[sent_.front()].next;
    if (next == nullptr) continue;
    if (next->arrival > now) return;
    settle(sent_.front(), now);
  }
}

/// Of a value that has arrived, or more.
void bank_rows::find_memory(cycle_t now) {
  settle_earlier(now);
  if (free_ != nullptr) return;
  spare& added = *spares_.emplace_back(std::make_unique<spare>());
  added.in_flight.value = &added.lanes;
  added.in_flight.next = nullptr;
  free_ = &added.in_flight;
}

}  // namespace tc::subcore
