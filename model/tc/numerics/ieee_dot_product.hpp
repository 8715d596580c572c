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
