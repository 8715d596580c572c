// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/kernels.hpp>
#include <tc/numerics/simd/vectors.hpp>

namespace tc::numerics::simd {
namespace {

/// Population counts of combined rows of bits of a tile. Lanes are rows; where these fill half of a vector, two columns stand side by side.
template <std::size_t Bytes>
class binary_sums {
 public:
  static void run(bit_combination combination, const tile& operands) {
    if constexpr (lanes > smallest_lanes) {
      if (operands.rows < lanes / 2) return binary_sums<Bytes / 2>::run(combination, operands);
    }
    if (combination == bit_combination::exclusive_or)
      product(operands, [](u32 a, u32 b) { return a ^ b; });
    else
      product(operands, [](u32 a, u32 b) { return a & b; });
  }

 private:
  using u32 = typename vectors<Bytes>::u32;
  static constexpr unsigned lanes = vectors<Bytes>::lanes;
  static constexpr unsigned words_per_count = 31;  ///< whose ones can be counted in bytes

  template <class Combine>
  [[gnu::always_inline]] static void product(const tile& t, Combine combine) {
    if constexpr (lanes > smallest_lanes) {
      if (t.rows == lanes / 2 && t.columns % 2 == 0) return pairs_of_columns(t, combine);
    }
    for (unsigned row = 0; row < t.rows; row += lanes) {
      const unsigned rows = t.rows - row;
      for (unsigned n = 0; n < t.columns; ++n) {
        u32 sum = load<u32>(t.c + n * t.stride + row, rows);
        for (unsigned first = 0; first < t.words; first += words_per_count) {
          u32 ones{};
          for (unsigned w = first; w < t.words && w < first + words_per_count; ++w)
            ones += ones_in_bytes(combine(load<u32>(t.a + w * t.stride + row, rows), splat<u32>(t.b[n * t.words + w])));
          sum += sum_of_bytes(ones);
        }
        store(t.d + n * t.stride + row, sum, rows);
      }
    }
  }

  template <class Combine>
  [[gnu::always_inline]] static void pairs_of_columns(const tile& t, Combine combine) {
    using half = half_of<u32>;
    const auto both = [](const std::uint32_t* lower, const std::uint32_t* upper) {
      return side_by_side(load<half>(lower, lanes / 2), load<half>(upper, lanes / 2));
    };
    for (unsigned n = 0; n < t.columns; n += 2) {
      const std::uint32_t *const b = t.b + n * t.words, *const c = t.c + n * t.stride;
      u32 sum = both(c, c + t.stride);
      for (unsigned first = 0; first < t.words; first += words_per_count) {
        u32 ones{};
        for (unsigned w = first; w < t.words && w < first + words_per_count; ++w) {
          const std::uint32_t* const a = t.a + w * t.stride;
          ones += ones_in_bytes(combine(both(a, a), side_by_side(splat<half>(b[w]), splat<half>(b[t.words + w]))));
        }
        sum += sum_of_bytes(ones);
      }
      std::uint32_t* const d = t.d + n * t.stride;
      store(d, lower_lanes(sum), lanes / 2);
      store(d + t.stride, upper_lanes(sum), lanes / 2);
    }
  }

  [[gnu::always_inline]] static u32 ones_in_bytes(u32 bits) {
    const u32 pairs = bits - (bits >> 1 & 0x55555555);
    const u32 nibbles = (pairs & 0x33333333) + (pairs >> 2 & 0x33333333);
    return (nibbles + (nibbles >> 4)) & 0x0f0f0f0f;
  }

  [[gnu::always_inline]] static u32 sum_of_bytes(u32 bytes) {
    const u32 halves = (bytes & 0x00ff00ff) + (bytes >> 8 & 0x00ff00ff);
    return (halves & 0xffff) + (halves >> 16);
  }
};

}  // namespace
}  // namespace tc::numerics::simd
