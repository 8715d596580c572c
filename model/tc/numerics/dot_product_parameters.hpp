#pragma once

#include <tc/numerics/rounding.hpp>

namespace tc::numerics {

/// Longest sum a fused dot-product-add takes in one step.
inline constexpr unsigned maximum_group_length = 128;
/// Most fraction bits terms may be aligned to: 129 terms below 2^2 with 48 fraction bits stay below 2^58, so sums fit 64 bits.
inline constexpr unsigned maximum_alignment_bits = 48;

/// The truncated fused dot-product-add of a tensor core (T-FDPA of MMA-Sim, arXiv 2511.10909; Khattak and Mikaitis, arXiv 2512.07004). One
/// group of products and the addend are aligned to the largest exponent among them, truncated, summed exactly and rounded once.
///
///   inputs -> output           Volta    Turing    Ampere    Hopper
///   f16, bf16                  4, 23    8, 24     8, 24     16, 25     group length, alignment fraction bits
///   tf32                       -        -         4, 24     8, 25
///
/// f32 results are rounded toward zero, f16 results to nearest even. Integer and binary operations use none of this.
struct dot_product_parameters {
  unsigned group_length = 16;             ///< products summed in one step, counted in elements; longer rows chain steps
  unsigned alignment_fraction_bits = 25;  ///< every term is truncated to a multiple of 2^(largest exponent - this)
  rounding_rule output_rounding{};
  /// Whether subnormal addends and results become zero. Hickmann and Bradford (2019) conclude it for f32 on Volta;
  /// Fasi et al. (PeerJ CS 7:e330, 2021) measure the opposite.
  bool flush_subnormals = false;
  /// Whether the exponent of a zero term counts for the alignment. It does in a public simulator, and does not on an H200.
  bool align_to_zeros = false;
};

}  // namespace tc::numerics
