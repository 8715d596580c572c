// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>

#include <tc/fabric/clocked.hpp>
#include <tc/links/matrix_shape.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// The tiles of an operand buffer, which instructions have in turn. A tile is promised to an instruction when it is issued, and held by it
/// from the cycle in which its operands begin to fill it.
class tile_ring {
 public:
  explicit tile_ring(unsigned depth_tiles) : tiles_(depth_tiles) {}

  /// When the tile whose turn it is can be filled.
  cycle_t next_free() const { return tiles_[next_].promised_until; }

  /// Promises that tile up to the cycle `release`. Returns which it is.
  unsigned promise(cycle_t release) {
    const unsigned promised = next_;
    tiles_[promised].promised_until = release;
    next_ = promised + 1 == tiles_.size() ? 0 : promised + 1;
    return promised;
  }

  /// The tile is held from now on, up to the cycle `release`. Returns up to which cycle it was held before.
  cycle_t hold(unsigned number, cycle_t release) {
    const cycle_t before = tiles_[number].held_until;
    tiles_[number].held_until = release;
    return before;
  }

  void reset() {
    std::fill(tiles_.begin(), tiles_.end(), tile{});
    next_ = 0;
  }

 private:
  static constexpr std::size_t usual_depth = 2;
  struct tile {
    cycle_t promised_until = 0, held_until = 0;
  };

  unsigned next_ = 0;
  boost::container::small_vector<tile, usual_depth> tiles_;
};

/// The tiles of a tensor unit's operand buffers. Buffers of a kind work in step: each has the same of its tiles in use.
struct operand_tiles {
  using of_buffers = boost::container::static_vector<tile_ring*, links::octets_per_warp>;

  of_buffers a, accumulators, b;
};

}  // namespace tc::subcore
