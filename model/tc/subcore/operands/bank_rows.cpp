// SPDX-License-Identifier: Apache-2.0
#include "bank_rows.hpp"

#include <utility>

namespace tc::subcore {

void bank_rows::clear() {
  std::size_t bytes = (count_ + 1) * sizeof(warp::lane_vector);
  memory_.reset(fabric::zeroed_allocator<std::uint8_t>().allocate(bytes));
  void* first = memory_.get();
  std::align(sizeof(warp::lane_vector), bytes - sizeof(warp::lane_vector), first, bytes);
  homes_ = static_cast<warp::lane_vector*>(first);
  rows_ = fabric::zeroed_vector<row>(count_);
  sent_.clear();
  free_ = first_lent_ = last_lent_ = nullptr;
  spares_.clear();
}

/// Writes what has arrived by a cycle. What is for a whole row changes places with what was there.
void bank_rows::settle(std::size_t number, cycle_t cycle) {
  row& settled = rows_[number];
  warp::lane_vector* place = place_of(number);
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

const warp::lane_vector& bank_rows::look_ahead(std::size_t number, cycle_t cycle, warp::lane_vector& room) const {
  const value_in_flight* next = rows_[number].next;
  if (next == nullptr || next->arrival > cycle) return *place_of(number);
  room = *place_of(number);
  for (; next != nullptr && next->arrival <= cycle; next = next->next) next->write_to(room);
  return room;
}

/// Settles rows in the order in which values were sent to them, until it has met so many that have not arrived. Those are not looked at
/// again soon: others that were sent behind them may have arrived.
void bank_rows::settle_arrived(cycle_t now, std::size_t most_on_the_way) {
  for (std::size_t left = sent_.size(); left != 0 && most_on_the_way != 0; --left) {
    const sending first = sent_.front();
    sent_.pop_front();
    if (first.arrival <= now) {
      settle(first.number, now);
    } else {
      sent_.push_back(first);
      --most_on_the_way;
    }
  }
}

/// Looks at all, and so gets more room if that would soon happen again.
void bank_rows::forget_settled(cycle_t now) {
  settle_arrived(now, sent_.size());
  if (2 * sent_.size() >= sent_.capacity()) sent_.set_capacity(2 * sent_.capacity() + 1);
}

/// Of a value that has arrived, or more.
void bank_rows::find_memory(cycle_t now) {
  constexpr std::size_t most_on_the_way = 2;  // so that one load is in nobody's way
  settle_arrived(now, most_on_the_way);
  if (free_ != nullptr) return;
  spare& added = *spares_.emplace_back(std::make_unique<spare>());
  added.in_flight.value = &added.lanes;
  added.in_flight.next = nullptr;
  free_ = &added.in_flight;
}

}  // namespace tc::subcore
