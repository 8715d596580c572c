#include "rows_in_flight.hpp"

#include <algorithm>

namespace tc::subcore {

/// What a load brings is known long ahead, and many results arrive before it.
void rows_in_flight::insert(const row_write& added) {
  const auto is_before = [](const row_write& one, const row_write& other) { return one.arrival < other.arrival; };
  order_.insert(std::upper_bound(order_.begin() + static_cast<std::ptrdiff_t>(first_), order_.end(), added, is_before), added);
}

/// What has left is cleared away when it is half of all.
void rows_in_flight::clear_away() {
  order_.erase(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
}

void rows_in_flight::grow() {
  free_.push_back(static_cast<std::uint32_t>(values_.size()));
  values_.emplace_back();
}

void rows_in_flight::clear() {
  order_.clear();
  first_ = 0;
  values_.clear();
  free_.clear();
}

}  // namespace tc::subcore
