// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/special_terms.hpp>

namespace tc::numerics {

/// summation::fused of terms that have block scales, or several products, or both (MMA-Sim, arXiv 2511.10909).
///
/// A term of one product has the exponents of its factors and of their scales. A term of several is their exact sum, a fixed-point
/// number, and has the exponents of its scales alone. The significands of the scales multiply the term in both cases. Terms and addend are
/// then aligned, truncated and added as in fused_dot_product. A scale that is NaN makes the sum NaN; an infinite addend or product makes it
/// infinite, as without scales (inferred: the published models do not say).
class scaled_dot_product {
 public:
  /// Throws std::invalid_argument for types and parameters that the datapath does not take: terms must fit 64 bits when aligned.
  scaled_dot_product(const dot_product_types& types, const dot_product_parameters& parameters);

  /// c + sum of a[i] * b[i] * scales over k elements of two packed rows; scales are packed bytes, one a block.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* scale_a, const std::uint32_t* scale_b,
                           unsigned k, std::uint64_t c) const;

 private:
  /// The operands of a row and a column.
  struct operands {
    const std::uint32_t *a, *b, *scale_a, *scale_b;
  };
  /// (-1)^negative x significand x 2^(exponent - term fraction bits).
  struct term {
    bool negative = false;
    std::uint64_t significand = 0;
    int exponent = 0;
  };

  std::uint64_t add_group(const operands& rows, unsigned first, unsigned count, std::uint64_t c) const;
  /// The sum of `count` products from element `first` on, not yet scaled; infinities and NaN go to `specials`.
  term sum_of_products(const operands& rows, unsigned first, unsigned count, special_terms& specials) const;
  /// Applies the scales of the block that element `first` is in.
  void scale(term& t, const operands& rows, unsigned first, special_terms& specials) const;

  number_format a_, b_, accumulator_;
  std::optional<block_scaling> scaling_;
  dot_product_parameters parameters_;
  bool fixed_point_;             ///< terms of several products: their exponent is 0 before they are scaled
  unsigned term_fraction_bits_;  ///< of a scaled term
};

}  // namespace tc::numerics
