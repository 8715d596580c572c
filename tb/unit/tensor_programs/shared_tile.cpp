// SPDX-License-Identifier: Apache-2.0
#include "shared_tile.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tensor_arrays.hpp"

namespace tc::tensor_programs {

namespace {

constexpr unsigned core_lines = 8;

struct swizzle_row {
  unsigned code, line_bytes;
  /// CuTe's Swizzle<bits, first, distance>: bits from `first` + `distance` on change those from `first` on.
  unsigned bits, first, distance;
};

constexpr std::array<swizzle_row, 5> swizzles{{{0, 16, 0, 4, 3}, {6, 32, 1, 4, 3}, {4, 64, 2, 4, 3}, {2, 128, 3, 4, 3}, {1, 128, 2, 5, 2}}};

const swizzle_row& row_of(shared_tile::swizzle mode) { return swizzles.at(static_cast<std::size_t>(mode)); }

}  // namespace

std::uint64_t shared_tile::descriptor() const {
  const auto field = [](std::uint32_t bytes, unsigned first) { return std::uint64_t{bytes / unit_bytes} << first; };
  return field(start, 0) | field(leading_bytes, 16) | field(stride_bytes, 32) | std::uint64_t{1} << 46 |
         std::uint64_t{row_of(mode).code} << 61;
}

std::uint32_t shared_tile::address(unsigned row, unsigned k) const {
  const swizzle_row& rule = row_of(mode);
  const unsigned along = (is_k_major ? k : row) * element_bytes, across = is_k_major ? row : k;
  const unsigned lines = mode == swizzle::of_128_in_32 ? 4 : core_lines;
  std::uint32_t linear = start + across % lines * rule.line_bytes + along % rule.line_bytes;
  if (mode == swizzle::none) {
    linear += is_k_major ? across / lines * stride_bytes + along / unit_bytes * leading_bytes
                         : across / lines * leading_bytes + along / unit_bytes * stride_bytes;
  } else {
    linear += across / lines * stride_bytes + along / rule.line_bytes * leading_bytes;
  }
  const std::uint32_t mask = (1U << rule.bits) - 1;
  return linear ^ (linear >> (rule.first + rule.distance) & mask) << rule.first;
}

shared_tile random_tile(random_numbers& random, const tile_extent& extent, const byte_window& window, bool in_32) {
  using swizzle = shared_tile::swizzle;
  constexpr std::array modes{swizzle::none, swizzle::none, swizzle::of_32, swizzle::of_64, swizzle::of_128};
  const unsigned row_bytes = extent.k * extent.element_bytes;
  for (unsigned attempt = 0; attempt < 1000; ++attempt) {
    shared_tile tile;
    tile.mode = in_32 ? swizzle::of_128_in_32 : random.pick(modes);
    tile.is_k_major = extent.is_k_major;
    tile.element_bytes = extent.element_bytes;
    const unsigned line_bytes = row_of(tile.mode).line_bytes;
    const bool is_swizzled = tile.mode != swizzle::none;
    // Patterns of a swizzle begin where the address bits that they take part in are zero.
    const unsigned unit = is_swizzled ? core_lines * line_bytes : unit_bytes, most = is_swizzled ? 3 : 24;
    tile.start = window.begin + random.below((window.end - window.begin) / unit) * unit;
    if (is_swizzled) tile.start -= tile.start % unit;
    tile.leading_bytes = unit * random.between(1, most);
    tile.stride_bytes = unit * random.between(1, most);
    if (is_swizzled && tile.is_k_major) {
      if (row_bytes > line_bytes) continue;
      tile.start += random.below((line_bytes - row_bytes) / row_bytes + 1) * row_bytes;  // a later step of K
    }
    std::uint32_t begin = ~0U, end = 0;
    for (unsigned row = 0; row < extent.rows; ++row) {
      for (unsigned k = 0; k < extent.k; ++k) {
        begin = std::min(begin, tile.address(row, k));
        end = std::max(end, tile.address(row, k) + tile.element_bytes);
      }
    }
    if (begin >= window.begin && end <= window.end) return tile;
  }
  throw std::logic_error("no tile of this extent fits the window");
}

}  // namespace tc::tensor_programs
