// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/fabric/clocked.hpp>

namespace tc::engine {

/// A path that carries so many bytes a cycle. A transfer that follows another at once begins in what that one has left of its last cycle.
class byte_path {
 public:
  explicit byte_path(unsigned bytes_per_cycle) : bytes_per_cycle_(bytes_per_cycle) {}

  /// The first cycle in which another transfer may begin.
  fabric::cycle_t next() const { return next_; }

  /// A transfer begins, not before next(). Returns the full cycles by which the path is taken longer.
  fabric::cycle_t take(fabric::cycle_t cycle, unsigned bytes) {
    if (cycle > next_) left_over_ = 0;
    left_over_ += bytes;
    const fabric::cycle_t cycles = left_over_ / bytes_per_cycle_;
    left_over_ %= bytes_per_cycle_;
    next_ = cycle + cycles;
    return cycles;
  }

 private:
  unsigned bytes_per_cycle_;
  unsigned left_over_ = 0;  ///< bytes already in the cycle next_
  fabric::cycle_t next_ = 0;
};

}  // namespace tc::engine
