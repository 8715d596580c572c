// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tc::record {

/// Element types of the operands.
enum class element : std::uint8_t { f64, f32, tf32, f16, bf16, e4m3, e5m2, s32, s8, u8, s4, u4, b1 };

/// What follows the types of an instruction: sums are clamped to 32 bits, or the ones of a combination of bits are counted.
enum class modifier : std::uint8_t { plain, satfinite, and_popc, xor_popc };

/// Whether a warp multiplies (mma.sync) or a warpgroup of four (wgmma.mma_async).
enum class instruction_kind : std::uint8_t { mma, wgmma };

enum class matrix_order : std::uint8_t { row, col };

/// Sets of GPU generations, a bit each.
enum generations : unsigned {
  volta = 1,
  turing = 2,
  ampere = 4,
  ada = 8,
  hopper = 16,
  blackwell = 32,      ///< compute capability 10.x
  blackwell_rtx = 64,  ///< 12.x
  volta_and_turing = volta | turing,
  ampere_to_ada = ampere | ada,
  turing_to_ada = turing | ampere_to_ada,
  ampere_to_hopper = ampere_to_ada | hopper,
  since_ampere = ampere_to_hopper | blackwell | blackwell_rtx,
  since_turing = turing | since_ampere,
  fp8_mma = ada | blackwell_rtx
};

/// The generation of a compute capability (10 * major + minor); none (0) for what came before tensor cores or is not known here.
constexpr generations generation_of(unsigned capability) {
  switch (capability / 10) {
    case 7:
      return capability >= 75 ? turing : volta;
    case 8:
      return capability >= 89 ? ada : ampere;
    case 9:
      return hopper;
    case 10:
      return blackwell;
    case 12:
      return blackwell_rtx;
    default:
      return generations{};
  }
}

/// One matrix instruction D = A x B + C: A is m x k, B is k x n, C and D are m x n.
struct variant {
  const char* name;    ///< <shape>.<d>.<a>.<b>[.<c>][.<modifier>], orders first for f16 m8n8k4, "wgmma." first for a warpgroup's
  const char* stream;  ///< name of its timed streams: <shape>.<d>.<a>, and .and or .xor for bits
  instruction_kind kind;
  generations native;   ///< generations whose tensor cores have it
  unsigned capability;  ///< the first compute capability it can be compiled for
  unsigned m, n, k;
  element d, a, b, c;
  modifier suffix;
  unsigned a_words, b_words, c_words;  ///< 32-bit words of a lane; b_words of wgmma: of the whole of B
  matrix_order a_order = matrix_order::row, b_order = matrix_order::col;
  unsigned instances = 1;  ///< independent products of the shape: 4, one for each quad pair, for f16 m8n8k4

  constexpr bool is_wgmma() const { return kind == instruction_kind::wgmma; }
  constexpr unsigned lanes() const { return is_wgmma() ? 128 : 32; }
  constexpr unsigned d_words() const { return c_words; }
  /// Words of one case in a vector file: for each lane A, B, C and D; for wgmma B once, then for each lane A, C and D.
  constexpr std::size_t case_words() const {
    return is_wgmma() ? b_words + lanes() * (a_words + 2 * c_words) : lanes() * (a_words + b_words + 2 * c_words);
  }
  /// Whether the result does not depend on who computes it, a tensor core or an expansion: integers, and chains of f64 multiply-adds.
  constexpr bool is_exact() const { return d == element::s32 || d == element::f64; }
  constexpr bool is_native_on(unsigned device_capability) const { return (native & generation_of(device_capability)) != 0; }
  /// Whether streams of it are timed. One of several that differ only in signs, clamping, mixture of formats or order is enough.
  constexpr bool is_timed() const {
    return !is_wgmma() && a == b && a != element::u8 && a != element::u4 && a != element::e5m2 && suffix != modifier::satfinite &&
           a_order == matrix_order::row && b_order == matrix_order::col;
  }
};

#define TC_SUFFIX_plain ""
#define TC_SUFFIX_satfinite ".satfinite"
#define TC_SUFFIX_and_popc ".and.popc"
#define TC_SUFFIX_xor_popc ".xor.popc"
#define TC_STREAM_SUFFIX_plain ""
#define TC_STREAM_SUFFIX_satfinite ""
#define TC_STREAM_SUFFIX_and_popc ".and"
#define TC_STREAM_SUFFIX_xor_popc ".xor"
#define TC_WORDS(type, registers) ((registers) * (element::type == element::f64 ? 2 : 1))

/// Every instruction of variants.def, in its order.
constexpr variant variants[] = {
// clang-format off
#define TC_MMA(native, sm, m, n, k, d, a, b, c, suffix, a_registers, b_registers, c_registers)                                 \
  {"m" #m "n" #n "k" #k "." #d "." #a "." #b "." #c TC_SUFFIX_##suffix, "m" #m "n" #n "k" #k "." #d "." #a TC_STREAM_SUFFIX_##suffix, \
   instruction_kind::mma, native, sm, m, n, k, element::d, element::a, element::b, element::c, modifier::suffix,               \
   TC_WORDS(a, a_registers), TC_WORDS(b, b_registers), TC_WORDS(c, c_registers)},
#define TC_MMA_884(a_order, b_order, d, c_registers)                                                                           \
  {"m8n8k4." #a_order "." #b_order "." #d ".f16.f16." #d, "m8n8k4." #d ".f16",                                                 \
   instruction_kind::mma, volta_and_turing, 70, 8, 8, 4, element::d, element::f16, element::f16, element::d, modifier::plain,  \
   2, 2, c_registers, matrix_order::a_order, matrix_order::b_order, 4},
#define TC_WGMMA(k, d, a, b, suffix, c_registers)                                                                              \
  {"wgmma.m64n8k" #k "." #d "." #a "." #b TC_SUFFIX_##suffix, "wgmma.m64n8k" #k "." #d "." #a,                                 \
   instruction_kind::wgmma, hopper, 90, 64, 8, k, element::d, element::a, element::b, element::d, modifier::suffix,            \
   4, 64, c_registers},
// clang-format on
#include "variants.def"
};

#undef TC_SUFFIX_plain
#undef TC_SUFFIX_satfinite
#undef TC_SUFFIX_and_popc
#undef TC_SUFFIX_xor_popc
#undef TC_STREAM_SUFFIX_plain
#undef TC_STREAM_SUFFIX_satfinite
#undef TC_STREAM_SUFFIX_and_popc
#undef TC_STREAM_SUFFIX_xor_popc
#undef TC_WORDS

constexpr std::size_t variant_count = sizeof variants / sizeof *variants;

}  // namespace tc::record
