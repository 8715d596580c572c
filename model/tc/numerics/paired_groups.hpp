// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/fused_dot_product.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::numerics {

/// summation::paired_groups: the order that Hickmann and Bradford (2019) propose for Volta. Additions are those of IEEE 754, rounded by
/// `output_rounding`; a last group without a partner is added alone. NaN results are canonical.
class paired_groups {
 public:
  /// Throws std::invalid_argument for types and parameters that the datapath does not take.
  paired_groups(const dot_product_types& types, const dot_product_parameters& parameters);

  /// c + sum of a[i] * b[i] over k elements of two packed rows; c and the result are accumulator bits.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;

 private:
  unsigned group_length_;
  fused_dot_product group_;  ///< truncates
  rounded_arithmetic adder_;
};

}  // namespace tc::numerics
