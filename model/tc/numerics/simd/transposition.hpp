// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/kernels.hpp>
#include <tc/numerics/simd/vectors.hpp>

namespace tc::numerics::simd {
namespace {

/// Words of a block's row and column, and of a block.
constexpr unsigned block_side = 4, block_words = 16;

/// A pattern of four of the eight words that two rows of a block have, for all blocks of a vector.
template <int Lanes, int Blocks, int P0, int P1, int P2, int P3, int... Lane>
struct make_block_pattern {
  static constexpr int at(int word) { return word % 4 + (Blocks - 1) * 4 + (word < 4 ? 0 : Lanes); }
  using type = typename make_block_pattern<Lanes, Blocks - 1, P0, P1, P2, P3, at(P0), at(P1), at(P2), at(P3), Lane...>::type;
};
template <int Lanes, int P0, int P1, int P2, int P3, int... Lane>
struct make_block_pattern<Lanes, 0, P0, P1, P2, P3, Lane...> {
  using type = lane_list<Lane...>;
};

template <int P0, int P1, int P2, int P3, class Vector>
[[gnu::always_inline]] inline Vector from_blocks(Vector x, Vector y) {
  return chosen(x, y, typename make_block_pattern<lanes_of<Vector>, lanes_of<Vector> / 4, P0, P1, P2, P3>::type{});
}

/// Transposes blocks of 4 x 4 words; a vector has a row of each.
template <class Vector>
[[gnu::always_inline]] inline void transpose(Vector (&rows)[block_side]) {
  const Vector low_01 = from_blocks<0, 4, 1, 5>(rows[0], rows[1]), low_23 = from_blocks<0, 4, 1, 5>(rows[2], rows[3]);
  const Vector high_01 = from_blocks<2, 6, 3, 7>(rows[0], rows[1]), high_23 = from_blocks<2, 6, 3, 7>(rows[2], rows[3]);
  rows[0] = from_blocks<0, 1, 4, 5>(low_01, low_23);
  rows[1] = from_blocks<2, 3, 6, 7>(low_01, low_23);
  rows[2] = from_blocks<0, 1, 4, 5>(high_01, high_23);
  rows[3] = from_blocks<2, 3, 6, 7>(high_01, high_23);
}

/// In vectors of so many bytes, or of fewer if the parts do not fill them.
template <std::size_t Bytes>
class transpositions {
 public:
  static void to_rows(const std::uint32_t* const* parts, unsigned count, std::uint32_t* rows, unsigned pitch) {
    if constexpr (lanes > part_rows) {
      if (count * part_rows < lanes) return transpositions<Bytes / 2>::to_rows(parts, count, rows, pitch);
    }
    for (unsigned block = 0; block < 2 * count; block += blocks, rows += lanes) {
      u32 words[block_side];
      for (unsigned i = 0; i < block_side; ++i) words[i] = load_blocks<u32>(parts, block, i);
      transpose(words);
      for (unsigned i = 0; i < block_side; ++i) store(rows + i * pitch, words[i], lanes);
    }
  }

  static void from_rows(const std::uint32_t* rows, unsigned pitch, std::uint32_t* const* parts, unsigned count) {
    if constexpr (lanes > part_rows) {
      if (count * part_rows < lanes) return transpositions<Bytes / 2>::from_rows(rows, pitch, parts, count);
    }
    for (unsigned block = 0; block < 2 * count; block += blocks, rows += lanes) {
      u32 words[block_side];
      for (unsigned i = 0; i < block_side; ++i) words[i] = load<u32>(rows + i * pitch, lanes);
      transpose(words);
      for (unsigned i = 0; i < block_side; ++i) store_blocks(words[i], parts, block, i);
    }
  }

 private:
  using u32 = typename vectors<Bytes>::u32;
  static constexpr unsigned lanes = vectors<Bytes>::lanes, blocks = lanes / block_side;
  static constexpr unsigned part_rows = transposed_part_rows;

  /// Row `i` of the blocks from a number on.
  template <class Vector>
  [[gnu::always_inline]] static Vector load_blocks(const std::uint32_t* const* parts, unsigned block, unsigned i) {
    if constexpr (lanes_of<Vector> == block_side) {
      return load<Vector>(parts[block / 2] + block % 2 * block_words + i * block_side, block_side);
    } else {
      constexpr unsigned half = lanes_of<Vector> / block_side / 2;
      return side_by_side(load_blocks<half_of<Vector>>(parts, block, i), load_blocks<half_of<Vector>>(parts, block + half, i));
    }
  }
  template <class Vector>
  [[gnu::always_inline]] static void store_blocks(Vector words, std::uint32_t* const* parts, unsigned block, unsigned i) {
    if constexpr (lanes_of<Vector> == block_side) {
      store(parts[block / 2] + block % 2 * block_words + i * block_side, words, block_side);
    } else {
      store_blocks(lower_lanes(words), parts, block, i);
      store_blocks(upper_lanes(words), parts, block + lanes_of<Vector> / block_side / 2, i);
    }
  }
};

}  // namespace
}  // namespace tc::numerics::simd
