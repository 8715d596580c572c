// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/dot_product.hpp>

namespace tc::numerics::test {

inline constexpr rounding_rule f32_rounding{rounding_mode::toward_zero, 23};
inline constexpr rounding_rule f16_rounding{rounding_mode::to_nearest_even, 10};

/// Group length, alignment bits and floor of an architecture's f16 datapath (MMA-Sim, arXiv 2511.10909).
struct architecture {
  const char* name;
  unsigned group_length, alignment_fraction_bits, alignment_floor;
};

inline constexpr architecture volta{"volta", 4, 23, 5}, turing{"turing", 8, 24, 6}, ampere{"ampere", 8, 24, 6}, ada{"ada", 8, 24, 6},
    hopper{"hopper", 16, 25, 7}, blackwell{"blackwell", 16, 25, 7};
inline constexpr architecture all_architectures[] = {volta, turing, ampere, ada, hopper, blackwell};
inline constexpr architecture from_turing_on[] = {turing, ampere, ada, hopper, blackwell};

/// f16 operands, accumulated in f32 or f16.
inline dot_product f16_dot_product(const architecture& gpu, const number_format& accumulator = f32) {
  const rounding_rule rounding = accumulator == f16 ? f16_rounding : f32_rounding;
  dot_product_parameters parameters;
  parameters.group_length = gpu.group_length;
  parameters.alignment_fraction_bits = gpu.alignment_fraction_bits;
  parameters.alignment_floor = gpu.alignment_floor;
  parameters.output_rounding = rounding;
  return dot_product({f16, f16, accumulator}, parameters);
}

}  // namespace tc::numerics::test
