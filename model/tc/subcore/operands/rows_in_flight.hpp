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

  bool is_empty() const { return count_ == 0; }
  /// The next to arrive.
  const row_write& first() const { return ring_[head_]; }
  void remove_first() {
    head_ = (head_ + 1) & (ring_.size() - 1);
    --count_;
  }
  void clear() { count_ = 0; }

  /// Adds a row, and returns where its value goes.
  lane_vector& add(fabric::cycle_t arrival, std::uint32_t row, std::uint32_t lanes);

 private:
  row_write& at(std::size_t place) { return ring_[(head_ + place) & (ring_.size() - 1)]; }
  void grow();

  std::vector<row_write> ring_;  ///< of a size that is a power of two, or empty
  std::size_t head_ = 0, count_ = 0;
};

}  // namespace tc::subcore
