// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/growing_queue.hpp>
#include <tc/fabric/zeroed_allocator.hpp>
#include <tc/isa/warp_lanes.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The rows of a register bank, and the values on their way to them. A row has its old value until the next one arrives: from that cycle on
/// whoever asks finds the new one. Values that arrive at a row together arrive in the order of the calls.
///
/// A value takes the place of the old one without being copied, and the memory of the old one is used again. That happens when somebody
/// asks about the row, or when memory is wanted.
class bank_rows {
 public:
  using cycle_t = fabric::cycle_t;

  static constexpr std::uint32_t all_lanes = isa::all_warp_lanes;

  /// All zero. Rows that nobody asks about take no memory.
  explicit bank_rows(std::size_t count) : count_(count) { clear(); }
  bank_rows(const bank_rows&) = delete;

  std::size_t count() const { return count_; }

  /// A row as it is in a cycle. Of each row, cycles are asked about in order; it stays where it is until another cycle is asked about, or
  /// memory is lent in a later one.
  warp::lane_vector* at(std::size_t number, cycle_t cycle) {
    row& asked = rows_[number];
    if (asked.next != nullptr && asked.next->arrival <= cycle) settle(number, cycle);
    return asked.place != nullptr ? asked.place : homes_ + number;
  }

  /// A row as it will be in a cycle, without bringing it there. `room`: for a value that is still to be put together.
  const warp::lane_vector& look_ahead(std::size_t number, cycle_t cycle, warp::lane_vector& room) const;

  /// Memory for a value that is going to be sent. Values are sent in the order in which they were lent memory. It is `now`: nobody asks
  /// about an earlier cycle any more.
  warp::lane_vector& lend(cycle_t now) {
    if (free_ == nullptr) find_memory(now);
    value_in_flight* const lent = free_;
    free_ = lent->next;
    lent->next = nullptr;
    (first_lent_ == nullptr ? first_lent_ : last_lent_->next) = lent;
    last_lent_ = lent;
    return *lent->value;
  }
  /// Sends the first lent value to lanes of a row, which have a bit; `now` as above.
  void send(std::size_t number, cycle_t arrival, std::uint32_t lanes, cycle_t now) {
    sc_assert(first_lent_ != nullptr && number < count_);
    value_in_flight* const sent = first_lent_;
    first_lent_ = sent->next;
    sent->arrival = arrival;
    sent->lanes = lanes;
    value_in_flight** place = &rows_[number].next;
    while (*place != nullptr && (*place)->arrival <= arrival) place = &(*place)->next;
    sent->next = *place;
    *place = sent;
    if (sent_.full()) forget_settled(now);
    sent_.push_back({arrival, static_cast<std::uint32_t>(number)});
  }

  /// As after construction.
  void clear();

 private:
  /// A value, or memory for one.
  struct value_in_flight {
    warp::lane_vector* value;
    cycle_t arrival;
    value_in_flight* next;  ///< to the same row, not before this one; or the next that is lent or free
    std::uint32_t lanes;

    void write_to(warp::lane_vector& into) const {
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        if ((lanes >> lane & 1U) != 0) into[lane] = (*value)[lane];
    }
  };
  struct row {
    warp::lane_vector* place;  ///< null: at home
    value_in_flight* next;     ///< the first on its way
  };
  /// Where a value went.
  struct sending {
    cycle_t arrival;
    std::uint32_t number;
  };
  struct free_memory {
    void operator()(void* memory) const { std::free(memory); }
  };
  /// A row fills two lines of a cache.
  struct alignas(sizeof(warp::lane_vector)) spare {
    warp::lane_vector lanes;
    value_in_flight in_flight;
  };

  warp::lane_vector* place_of(std::size_t number) const { return rows_[number].place != nullptr ? rows_[number].place : homes_ + number; }
  [[gnu::noinline]] void settle(std::size_t number, cycle_t cycle);
  [[gnu::noinline]] void find_memory(cycle_t now);
  void settle_arrived(cycle_t now, std::size_t most_on_the_way);
  [[gnu::noinline]] void forget_settled(cycle_t now);

  std::size_t count_;
  std::unique_ptr<void, free_memory> memory_;  ///< where rows are at first
  warp::lane_vector* homes_ = nullptr;         ///< the first of them
  fabric::zeroed_vector<row> rows_;
  fabric::growing_queue<sending> sent_;  ///< values that may not have been settled, those sent long ago in front
  value_in_flight *free_ = nullptr, *first_lent_ = nullptr, *last_lent_ = nullptr;
  std::vector<std::unique_ptr<spare>> spares_;
};

}  // namespace tc::subcore
