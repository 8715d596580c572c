// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/fused_dot_product.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

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
