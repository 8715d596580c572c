// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

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

/// Dot products of 8-bit factors on tensor cores that multiply f16: mma.sync of e4m3 and e5m2 on Hopper (compiled sm_90 code; results
/// recorded on an H200).
///
/// A conversion takes the low or the high half of a register, so the first row of f16 consists of elements 0, 1, 4, 5, 8, 9, ..., the
/// second of the others; the sum of the first is the addend of the second. Converted numbers are normal in f16 where they were subnormal in
/// e4m3, which moves the alignment.
class converting_dot_product {
 public:
  /// Throws std::invalid_argument for types and parameters that the datapath does not take.
  converting_dot_product(const dot_product_types& types, const dot_product_parameters& parameters);

  /// c + sum of a[i] * b[i] over k elements of two packed rows; c and the result are accumulator bits.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;

 private:
  using conversion_table = std::array<std::uint16_t, 256>;

  static conversion_table to_f16(const number_format& format);

  conversion_table a_, b_;  ///< f16 of every byte
  fused_dot_product unit_;
};

}  // namespace tc::numerics
