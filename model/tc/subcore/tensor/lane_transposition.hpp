// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/links/octet_range.hpp>
#include <tc/warp/four_words.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

// A register has the lanes of a threadgroup side by side; the buffers of a tensor core have the threadgroups side by side, in a row for
// each lane. Between the two, 4x4 words at a time are transposed.

/// Whether the threadgroups of these octets can be taken by fours.
constexpr bool is_transposable(const links::octet_range& octets) { return octets.count % 2 == 0; }

/// Where a register has the threadgroups `i` to `i` + 3 of a range: two neighbours, and two more.
struct threadgroup_block {
  unsigned first_lane, to_second_pair;

  threadgroup_block(const links::octet_range& octets, unsigned i)
      : first_lane((octets.first + i) * links::lanes_per_threadgroup),
        to_second_pair(links::lanes_per_threadgroup * (octets.count == links::octets_per_warp ? 2 : links::octets_per_warp)) {}

  warp::four_by_four load(const warp::lane_vector& from) const {
    const std::uint32_t *const first = &from[first_lane], *const second = first + to_second_pair;
    return {warp::load_four(first), warp::load_four(first + links::lanes_per_threadgroup), warp::load_four(second),
            warp::load_four(second + links::lanes_per_threadgroup)};
  }
  void store(const warp::four_by_four& block, warp::lane_vector& to) const {
    std::uint32_t *const first = &to[first_lane], *const second = first + to_second_pair;
    warp::store_four(first, block[0]);
    warp::store_four(first + links::lanes_per_threadgroup, block[1]);
    warp::store_four(second, block[2]);
    warp::store_four(second + links::lanes_per_threadgroup, block[3]);
  }
};

}  // namespace tc::subcore
