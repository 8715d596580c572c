// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/kernels.hpp>
#include <tc/numerics/simd/vectors.hpp>

namespace tc::numerics::simd {
namespace {

/// Integer dot products of a tile. Lanes are rows. Elements become binary32 numbers, whose sums of products are exact: at most
/// maximum_elements products of at most 2^16.
template <std::size_t Bytes, unsigned Columns>
class integer_sums {
 public:
  static void run(const integer_plan& plan, const tile& operands) { integer_sums(plan, operands).product(); }

 private:
  using f32 = typename vectors<Bytes>::f32;
  using s32 = typename vectors<Bytes>::s32;
  using u32 = typename vectors<Bytes>::u32;
  static constexpr unsigned lanes = vectors<Bytes>::lanes;
  static_assert(maximum_elements << 16 < 1 << 24);

  [[gnu::always_inline]] integer_sums(const integer_plan& plan, const tile& operands)
      : plan_(plan),
        tile_(operands),
        per_word_(32 / plan.storage_bits),
        b_stride_((operands.columns * operands.words + lanes - 1) / lanes * lanes) {}

  [[gnu::always_inline]] void product() {
    const unsigned words = tile_.columns * tile_.words;
    for (unsigned w = 0; w < words; w += lanes) {
      const u32 word = load<u32>(tile_.b + w, words - w);
      for (unsigned i = 0; i < per_word_; ++i) {
        const f32 values = element(word, i, plan_.b_is_signed);
        __builtin_memcpy(b_ + i * b_stride_ + w, &values, Bytes);
      }
    }
    for (unsigned row = 0; row < tile_.rows; row += lanes) {
      for (unsigned w = 0; w < tile_.words; ++w) {
        const u32 word = load<u32>(tile_.a + w * tile_.stride + row, tile_.rows - row);
        for (unsigned i = 0; i < per_word_; ++i) a_[i * tile_.words + w] = element(word, i, plan_.a_is_signed);
      }
      unsigned n = 0;
      for (; n + Columns <= tile_.columns; n += Columns) columns<Columns>(row, n);
      for (; n < tile_.columns; ++n) columns<1>(row, n);
    }
  }

  [[gnu::always_inline]] f32 element(u32 word, unsigned index, bool is_signed) const {
    const u32 top = word << static_cast<int>(32 - (index + 1) * plan_.storage_bits);
    const auto distance = static_cast<int>(32 - plan_.storage_bits);
    return __builtin_convertvector(is_signed ? bits_as<s32>(top) >> distance : bits_as<s32>(top >> distance), f32);
  }

  template <unsigned Count>
  [[gnu::always_inline]] void columns(unsigned row, unsigned n) const {
    f32 sums[Count];
    for (f32& sum : sums) sum = f32{};
    for (unsigned i = 0; i < per_word_; ++i) {
      for (unsigned w = 0; w < tile_.words; ++w) {
        const f32 a = a_[i * tile_.words + w];
        for (unsigned column = 0; column < Count; ++column) sums[column] += a * b_[i * b_stride_ + (n + column) * tile_.words + w];
      }
    }
    for (unsigned column = 0; column < Count; ++column) {
      const unsigned at = (n + column) * tile_.stride + row, rows = tile_.rows - row;
      store(tile_.d + at, with_addend(__builtin_convertvector(sums[column], s32), load<u32>(tile_.c + at, rows)), rows);
    }
  }

  [[gnu::always_inline]] u32 with_addend(s32 sum, u32 addend) const {
    const u32 wrapped = addend + bits_as<u32>(sum);
    if (!plan_.saturate) return wrapped;
    const s32 limit = (bits_as<s32>(addend) >> 31) ^ 0x7fffffff;  // of the addend's sign
    const s32 overflow = bits_as<s32>(~(addend ^ bits_as<u32>(sum)) & (addend ^ wrapped));
    return overflow < 0 ? bits_as<u32>(limit) : wrapped;
  }

  const integer_plan& plan_;
  const tile& tile_;
  const unsigned per_word_, b_stride_;
  f32 a_[maximum_elements];       ///< of some rows, by position in a word, then word
  float b_[maximum_b_words * 8];  ///< by position in a word, then column, then word
};

}  // namespace
}  // namespace tc::numerics::simd
