// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/fabric/clocked.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// Some of the coming cycles, as a bit each.
class cycle_set {
 public:
  /// Nobody books this far ahead, so that the bit of a cycle that has passed can be used again. Who books farthest, a matrix instruction
  /// its result's writes, sees to that (port_reservation.cpp).
  static constexpr unsigned days = 64;

  cycle_set() = default;
  /// Cycles that follow each other.
  cycle_set(cycle_t first, cycle_t count) {
    bits_ = count >= days ? ~std::uint64_t{0} : (std::uint64_t{1} << count) - 1;
    *this = later(first);
  }

  bool has(cycle_t cycle) const { return (bits_ >> cycle % days & 1U) != 0; }
  bool is_empty() const { return bits_ == 0; }
  /// The same cycles, so many later.
  cycle_set later(cycle_t cycles) const {
    cycle_set moved;
    const unsigned turns = cycles % days;
    moved.bits_ = bits_ << turns | bits_ >> (days - turns) % days;
    return moved;
  }
  void remove(const cycle_set& others) { bits_ &= ~others.bits_; }
  /// Adds others. Returns those of them that it has had before.
  cycle_set add(const cycle_set& others) {
    cycle_set had;
    had.bits_ = bits_ & others.bits_;
    bits_ |= others.bits_;
    return had;
  }

 private:
  std::uint64_t bits_ = 0;
};

}  // namespace tc::subcore
