#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include <tc/subcore/links/octet_range.hpp>
#include <tc/subcore/warp/lane_vector.hpp>

namespace tc::subcore {

// A register has the lanes of a threadgroup side by side; the buffers of a tensor core have the threadgroups side by side, in a row for
// each lane. Between the two, 4x4 words at a time are transposed, in vectors by the extension that GCC and clang share.

using four_words [[gnu::vector_size(16)]] = std::uint32_t;

inline four_words load_four(const std::uint32_t* from) {
  four_words words;
  std::memcpy(&words, from, sizeof words);
  return words;
}

inline void store_four(std::uint32_t* to, four_words words) { std::memcpy(to, &words, sizeof words); }

using four_by_four = std::array<four_words, 4>;

inline four_by_four transposed(const four_by_four& rows) {
  const four_words low_01 = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5),
                   low_23 = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
  const four_words high_01 = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7),
                   high_23 = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
  return {__builtin_shufflevector(low_01, low_23, 0, 1, 4, 5), __builtin_shufflevector(low_01, low_23, 2, 3, 6, 7),
          __builtin_shufflevector(high_01, high_23, 0, 1, 4, 5), __builtin_shufflevector(high_01, high_23, 2, 3, 6, 7)};
}

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

/// Four rows of the buffers, `pitch` words apart, from four threadgroups on.
inline four_by_four load_rows(const std::uint32_t* from, unsigned pitch) {
  const std::uint32_t* const third = from + 2 * pitch;
  return {load_four(from), load_four(from + pitch), load_four(third), load_four(third + pitch)};
}
inline void store_rows(const four_by_four& rows, std::uint32_t* to, unsigned pitch) {
  std::uint32_t* const third = to + 2 * pitch;
  store_four(to, rows[0]);
  store_four(to + pitch, rows[1]);
  store_four(third, rows[2]);
  store_four(third + pitch, rows[3]);
}

}  // namespace tc::subcore
