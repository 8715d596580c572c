#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/subcore/warp/lane_vector.hpp>

namespace tc::subcore {

/// Rows on their way to a register bank, in the order of their arrival, and of those that arrive together in the order of the calls.
class rows_in_flight {
 public:
  struct row_write {
    fabric::cycle_t arrival;
    std::uint32_t row;
    std::uint32_t lanes;  ///< bit per lane that is written
    std::uint32_t place;  ///< of its value
  };

  /// Whether one has arrived by this cycle.
  bool is_due(fabric::cycle_t cycle) const { return !order_.empty() && first().arrival <= cycle; }
  /// The next to arrive.
  const row_write& first() const { return order_[first_]; }
  const lane_vector& value(const row_write& which) const { return values_[which.place]; }
  void remove_first() {
    free_.push_back(order_[first_++].place);
    if (2 * first_ >= order_.size()) clear_away();
  }
  void clear();

  /// Adds a row, and returns where its value goes. Most arrive behind all others, for most results are of one latency.
  lane_vector& add(fabric::cycle_t arrival, std::uint32_t row, std::uint32_t lanes) {
    if (free_.empty()) grow();
    const std::uint32_t place = free_.back();
    free_.pop_back();
    if (!order_.empty() && order_.back().arrival > arrival) {
      insert({arrival, row, lanes, place});
      return values_[place];
    }
    // Not copied from elsewhere: what has just been written in parts cannot be read at once.
    row_write& added = order_.emplace_back();
    added.arrival = arrival;
    added.row = row;
    added.lanes = lanes;
    added.place = place;
    return values_[place];
  }

 private:
  void insert(const row_write& added);
  void clear_away();
  void grow();

  std::vector<row_write> order_;  ///< from first_ on; empty if none is there
  std::size_t first_ = 0;
  std::vector<lane_vector> values_;  ///< by place; they stay where they are as others come and go
  std::vector<std::uint32_t> free_;  ///< places
};

}  // namespace tc::subcore
