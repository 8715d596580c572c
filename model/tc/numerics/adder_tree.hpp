// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::numerics {

/// summation::adder_tree: multipliers and adders of IEEE 754, each rounding by `output_rounding` into the accumulator format. NaN results
/// are canonical.
class adder_tree {
 public:
  /// Throws std::invalid_argument for types and parameters that the datapath does not take.
  adder_tree(const dot_product_types& types, const dot_product_parameters& parameters);

  /// c + sum of a[i] * b[i] over k elements of two packed rows; c and the result are accumulator bits.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;

 private:
  /// The sum of `count` products from element `first` on.
  std::uint64_t group_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count) const;

  number_format a_, b_;
  unsigned group_length_;
  rounded_arithmetic accumulator_;
};

}  // namespace tc::numerics
