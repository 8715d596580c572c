// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>

namespace tc::numerics {

/// summation::fma_chain in f64: IEEE 754 fused multiply-adds in ascending k, rounded to nearest even (DMMA). A NaN operand keeps its sign
/// and payload and becomes quiet; of several, that of B comes before that of the addend, and that before A's. Infinity times zero, and
/// infinities of both signs, give 0xfff8000000000000 (all recorded on an H200).
class f64_fma_chain {
 public:
  /// Throws std::invalid_argument unless A and B are f64 and the parameters are those of a plain chain.
  f64_fma_chain(const dot_product_types& types, const dot_product_parameters& parameters);

  /// c + sum of a[i] * b[i] over k elements of two packed rows, two words an element; c and the result are f64 bits.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;
};

}  // namespace tc::numerics
