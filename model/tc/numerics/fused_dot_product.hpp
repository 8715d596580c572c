// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// summation::fused of unscaled products, one a term: a chain of truncated fused dot-product-adds, each rounded result being the addend of
/// the next.
///
/// All sums are 64-bit integers. A product of two significands fits 32 bits (the constructor refuses wider formats); aligned to F fraction
/// bits a product is below 2^(F+2), the addend below 2^(F+1), and see maximum_alignment_bits for their sum.
class fused_dot_product {
 public:
  /// Throws std::invalid_argument for types and parameters that the datapath does not take.
  fused_dot_product(const dot_product_types& types, const dot_product_parameters& parameters);

  /// c + sum of a[i] * b[i] over k elements of two packed rows; c and the result are accumulator bits.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;

  /// One truncated fused dot-product-add: of `count` products, at most a group of them, from element `first` on.
  std::uint64_t add_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count, std::uint64_t c) const;
  /// The same without addend: no exponent of one takes part in the alignment.
  std::uint64_t group_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count) const;

 private:
  /// Elements of a group, one array per field, filled up with zeros: they add nothing, and no product has a smaller exponent than theirs.
  template <unsigned Length>
  struct unpacked_group {
    std::array<std::int32_t, Length> exponent;
    std::array<std::uint32_t, Length> significand;
    std::array<std::uint32_t, Length> negative;  ///< 0 or 1
    bool has_special;                            ///< whether an element is infinity or NaN
  };

  std::uint64_t sum_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                          const unpacked_number& addend) const;
  /// sum_group, filled up to a constant length, so that compilers turn the loops into vector instructions.
  template <unsigned Length>
  std::uint64_t add_padded_group(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                                 const unpacked_number& addend) const;
  template <unsigned Length>
  static void unpack_group(const std::uint32_t* row, unsigned first, unsigned count, const number_format& format,
                           unpacked_group<Length>& group);
  /// Sum of numbers: no term is infinity or NaN.
  template <unsigned Length>
  std::uint64_t fused_sum(const unpacked_group<Length>& a, const unpacked_group<Length>& b, const unpacked_number& addend) const;
  /// Sum in which a term is infinity or NaN.
  std::uint64_t special_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count,
                            const unpacked_number& addend) const;

  number_format a_, b_, accumulator_;
  dot_product_parameters parameters_;
};

}  // namespace tc::numerics
