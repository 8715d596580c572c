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
    lane_vector value;
  };

  /// Whether one has arrived by this cycle.
  bool is_due(fabric::cycle_t cycle) const { return count_ != 0 && first().arrival <= cycle; }
  /// The next to arrive.
  const row_write& first() const { return ring_[head_]; }
  void remove_first() {
    head_ = (head_ + 1) & mask_;
    --count_;
  }
  void clear() { count_ = 0; }

  /// Adds a row, and returns where its value goes. Most rows arrive behind all others, for most results are of one latency.
  lane_vector& add(fabric::cycle_t arrival, std::uint32_t row, std::uint32_t lanes) {
    if (count_ == ring_.size()) grow();
    const bool is_last = count_ == 0 || at(count_ - 1).arrival <= arrival;
    row_write& added = at(is_last ? count_ : make_place(arrival));
    ++count_;
    added.arrival = arrival;
    added.row = row;
    added.lanes = lanes;
    return added.value;
  }

 private:
  row_write& at(std::size_t place) { return ring_[(head_ + place) & mask_]; }
  std::size_t make_place(fabric::cycle_t arrival);
  void grow();

  std::vector<row_write> ring_;  ///< its size is a power of two
  std::size_t mask_ = 0;         ///< that less one
  std::size_t head_ = 0, count_ = 0;
};

}  // namespace tc::subcore
