#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/subcore/warp/lane_vector.hpp>

namespace tc::subcore {

/// Rows on their way to a register bank, in the order of their arrival, and of those that arrive together in the order of the calls.
///
/// They stand in queues, each in that order. Most results are of one latency and stand in one; what a load brings is known long ahead, and
/// what comes after it and arrives before it stands in another. Who arrives together with an earlier one is in the same queue or in one
/// behind it: those in front have somebody who arrives later, until both have left.
class rows_in_flight {
 public:
  struct row_write {
    fabric::cycle_t arrival;
    std::uint32_t row;
    std::uint32_t lanes;  ///< bit per lane that is written
    lane_vector* value;

    void write_to(lane_vector& into) const {
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
        if ((lanes >> lane & 1U) != 0) into[lane] = (*value)[lane];
    }
  };

  /// Whether one has arrived by this cycle.
  bool is_due(fabric::cycle_t cycle) const { return next_arrival_ <= cycle; }
  /// The next to arrive.
  const row_write& first() const { return queues_[next_].front(); }
  void remove_first() { exchange_first(first().value); }
  /// Removes the next to arrive and gives its value away, for memory of a row that nobody needs any more.
  lane_vector* exchange_first(lane_vector* spare) {
    lane_vector* const value = first().value;
    free_.push_back(spare);
    queues_[next_].remove_front();
    if (queues_[next_].is_empty() || queues_[next_].front().arrival != next_arrival_) find_next();
    return value;
  }
  void clear();

  /// Writes to `value` what arrives at a row by a cycle, and leaves it on its way.
  void look_ahead(fabric::cycle_t cycle, std::uint32_t row, lane_vector& value) const;

  /// Adds a row, and returns where its value goes.
  lane_vector& add(fabric::cycle_t arrival, std::uint32_t row, std::uint32_t lanes) {
    if (free_.empty()) grow();
    lane_vector* const value = free_.back();
    free_.pop_back();
    const std::size_t joined = queue_for(arrival);
    if (arrival < next_arrival_) {
      next_arrival_ = arrival;
      next_ = joined;
    }
    // Not copied from elsewhere: what has just been written in parts cannot be read at once.
    row_write& added = queues_[joined].add();
    added.arrival = arrival;
    added.row = row;
    added.lanes = lanes;
    added.value = value;
    return *value;
  }

 private:
  static constexpr fabric::cycle_t never = ~fabric::cycle_t{0};

  class queue {
   public:
    bool is_empty() const { return order_.empty(); }
    const row_write& front() const { return order_[first_]; }
    const row_write& back() const { return order_.back(); }
    const row_write* begin() const { return order_.data() + first_; }
    const row_write* end() const { return order_.data() + order_.size(); }
    row_write& add() { return order_.emplace_back(); }
    /// What has left is cleared away when it is half of all.
    void remove_front() {
      if (2 * ++first_ >= order_.size()) clear_away();
    }

   private:
    void clear_away();

    std::vector<row_write> order_;  ///< from first_ on; empty if none is there
    std::size_t first_ = 0;
  };

  /// The first queue in which nobody arrives after this cycle.
  std::size_t queue_for(fabric::cycle_t arrival) {
    std::size_t i = 0;
    while (i < queues_.size() && !queues_[i].is_empty() && queues_[i].back().arrival > arrival) ++i;
    if (i == queues_.size()) queues_.emplace_back();
    return i;
  }
  void find_next();
  void grow();

  std::vector<queue> queues_;
  std::size_t next_ = 0;                  ///< the queue of the next to arrive
  fabric::cycle_t next_arrival_ = never;  ///< of none: never
  /// A row fills two lines of a cache.
  struct alignas(sizeof(lane_vector)) memory {
    lane_vector lanes;
  };
  std::vector<std::unique_ptr<memory>> values_;
  std::vector<lane_vector*> free_;  ///< memory for values
};

}  // namespace tc::subcore
