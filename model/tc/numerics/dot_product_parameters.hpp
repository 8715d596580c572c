// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounding.hpp>

namespace tc::numerics {

/// Longest sum a fused dot-product-add takes in one step.
inline constexpr unsigned maximum_group_length = 128;
/// Most fraction bits terms may be aligned to: 129 terms below 2^2 with 48 fraction bits stay below 2^58, so sums fit 64 bits.
inline constexpr unsigned maximum_alignment_bits = 48;
/// Largest dot_product_parameters::alignment_floor, as good as none: no factors and scales have products that small.
inline constexpr unsigned maximum_alignment_floor = 1023;

/// How the products of a row and the addend become one number.
enum class summation : std::uint8_t {
  /// A group's terms, and the addend if it joins, aligned to their largest exponent, truncated, added exactly and rounded once (T-FDPA
  /// of MMA-Sim, arXiv 2511.10909). The result is the addend of the next group.
  fused,
  /// (C + (T0 + T1)) + (T2 + T3), and so on: T is the fused sum of a group without addend, truncated into the accumulator format
  /// (Hickmann and Bradford, 2019).
  paired_groups,
  /// IEEE 754 fused multiply-adds in ascending k, beginning with the addend. Groups play no part.
  fma_chain,
  /// The products of a group, rounded into the accumulator format, meet in a balanced binary tree of adders: neighbours first, an
  /// odd one waits for the next level. The tree's sum is then added to the addend or the sum so far.
  adder_tree,
};

/// Where the addend joins.
enum class addend_position : std::uint8_t {
  in_first_group,
  after_sum,  ///< the sum starts from zero; one IEEE 754 addition, rounded to nearest even, adds the addend at the end
};

/// The arithmetic of a dot-product unit. Tensor cores (MMA-Sim, arXiv 2511.10909; Khattak and Mikaitis, arXiv 2512.07004):
///
///   inputs              Volta    Turing    Ampere    Ada       Hopper    Blackwell
///   f16, bf16           4, 23    8, 24     8, 24     8, 24     16, 25    16, 25    group length, alignment fraction bits
///   tf32                -        -         4, 24     4, 24     8, 25     8, 25
///   8 bits and fewer    -        -         -         16, 13    32, 13    32, 25    Ada and Hopper keep 13 fraction bits of f32
///   mxf4, mxf4nvf4      -        -         -         -         -         64, 35    16 products a term
///
/// f32 results are rounded toward zero, f16 results to nearest even. Integer and binary operations use none of this.
struct dot_product_parameters {
  summation order = summation::fused;
  unsigned group_length = 16;  ///< products summed in one step, counted in elements; longer rows chain steps
  /// Only `fused`: products first added exactly to one term, whose exponent is then that of its scales alone.
  unsigned products_per_term = 1;
  unsigned alignment_fraction_bits = 25;  ///< every term is truncated to a multiple of 2^(largest exponent - this)
  /// However small all terms are, they are aligned to at least the smallest normal exponent of the accumulator minus this. f32 results:
  /// 5 on Volta, 6 from Turing to Ada, 7 on Hopper and Blackwell, 13 with mxf4 (MMA-Sim, arXiv 2511.10909). f32 and f16 results of an
  /// H200: 7 (recorded there); f16 results of other generations are inferred to have what f32 results have.
  unsigned alignment_floor = 7;
  addend_position addend = addend_position::in_first_group;
  /// Whether 8-bit factors are converted to f16 and multiplied by a fused datapath of f16: see converting_dot_product.
  bool multiply_as_f16 = false;
  rounding_rule output_rounding{};  ///< of every result that is, or becomes part of, the accumulator
  /// Whether subnormal addends and results become zero. Hickmann and Bradford (2019) conclude it for f32 on Volta;
  /// Fasi et al. (PeerJ CS 7:e330, 2021) measure the opposite.
  bool flush_subnormals = false;
  /// Whether the exponent of a zero term counts for the alignment. It does in a public simulator, and does not on an H200.
  bool align_to_zeros = false;
};

/// What a dot-product unit does with a pair of rows.
enum class dot_product_operation : std::uint8_t { float_sum, integer_wrap, integer_saturate, binary_xor, binary_and };

/// One scale for every `block_length` elements of a row of A and of a column of B.
struct block_scaling {
  number_format format;
  unsigned block_length = 32;
};

/// What is multiplied, and in which format it is accumulated: s32 for integer and binary operations.
struct dot_product_types {
  number_format a, b, accumulator;
  dot_product_operation operation = dot_product_operation::float_sum;
  std::optional<block_scaling> scaling{};
};

}  // namespace tc::numerics
