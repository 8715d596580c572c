// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/subcore/links/octet_range.hpp>
#include <tc/subcore/warp/four_words.hpp>
#include <tc/subcore/warp/lane_vector.hpp>

namespace tc::subcore {

// A register has the lanes of a threadgroup side by side; the buffers of a tensor core have the threadgroups side by side, in a row for
// each lane. Between the two, 4x4 words at a time are transposed.

/// Whether the threadgroups of these octets can be taken by fours.
constexpr bool is_transposable(const octet_range& octets) { return octets.count % 2 == 0; }

/// Where a register has the threadgroups `i` to `i` + 3 of a range: two neighbours, and two more.
struct threadgroup_block {
  unsigned first_lane, to_second_pair;

  threadgroup_block(const octet_range& octets, unsigned i)
      : first_lane((octets.first + i) * lanes_per_threadgroup),
        to_second_pair(lanes_per_threadgroup * (octets.count == octets_per_warp ? 2 : octets_per_warp)) {}

  four_by_four load(const lane_vector& from) const {
    const std::uint32_t *const first = &from[first_lane], *const second = first + to_second_pair;
    return {load_four(first), load_four(first + lanes_per_threadgroup), load_four(second), load_four(second + lanes_per_threadgroup)};
  }
  void store(const four_by_four& block, lane_vector& to) const {
    std::uint32_t *const first = &to[first_lane], *const second = first + to_second_pair;
    store_four(first, block[0]);
    store_four(first + lanes_per_threadgroup, block[1]);
    store_four(second, block[2]);
    store_four(second + lanes_per_threadgroup, block[3]);
  }
};

}  // namespace tc::subcore
