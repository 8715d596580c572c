// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/numerics/dot_product_parameters.hpp>

namespace tc::numerics::test {

/// Operands of one dot product, a pattern an element.
struct dot_operands {
  std::vector<std::uint64_t> a, b;              ///< in ascending k
  std::vector<std::uint64_t> scale_a, scale_b;  ///< one a block; empty without block scales
  std::uint64_t c = 0;
};

/// A tensor core's dot product computed a second time, from the rules as MMA-Sim (arXiv 2511.10909), Hickmann and Bradford (2019), IEEE 754
/// and the PTX ISA state them: every number exact, truncation by division, rounding by comparison with half a step. Plain and slow. It
/// shares with the library the description of what is to be computed, and no code. NaN results of f64 have the canonical pattern, which is
/// no part of the rules.
std::uint64_t exact_dot_product(const dot_product_types& types, const dot_product_parameters& parameters, const dot_operands& operands);

}  // namespace tc::numerics::test
