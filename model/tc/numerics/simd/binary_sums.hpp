// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/kernels.hpp>
#include <tc/numerics/simd/vectors.hpp>

namespace tc::numerics::simd {
namespace {

/// Population counts of combined rows of bits of a tile. Lanes are rows.
template <std::size_t Bytes>
class binary_sums {
 public:
  static void run(bit_combination combination, const tile& operands) {
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
