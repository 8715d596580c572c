// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace tc::warp {

// Four words of 32 bits at a time, in vectors by the extension that GCC and clang share.

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

/// Four rows that are `pitch` words apart.
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

}  // namespace tc::warp
