// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::numerics {

/// summation::fma_chain in an accumulator of at most 32 bits: IEEE 754 fused multiply-adds, each rounded by `output_rounding`. NaN results
/// are canonical.
class fma_chain {
 public:
  /// Throws std::invalid_argument for types and parameters that the datapath does not take.
  fma_chain(const dot_product_types& types, const dot_product_parameters& parameters);

  /// c + sum of a[i] * b[i] over k elements of two packed rows; c and the result are accumulator bits.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;

 private:
  number_format a_, b_;
  rounded_arithmetic accumulator_;
};

}  // namespace tc::numerics
