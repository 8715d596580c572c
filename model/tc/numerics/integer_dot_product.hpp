// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

/// What an integer accumulator does with a sum beyond 32 bits: plain, or .satfinite (PTX ISA, mma).
enum class integer_overflow : std::uint8_t { wrap, saturate };

/// Dot product of integers of at most 8 bits with a 32-bit two's complement addend. Sums are exact in 64 bits: |product| <= 2^16, fewer
/// than 2^32 of them; what does not fit 32 bits wraps or saturates once, after the addend is in.
class integer_dot_product {
 public:
  /// Throws std::invalid_argument if a format is not an integer of at most 8 bits.
  integer_dot_product(const number_format& a, const number_format& b, integer_overflow overflow);

  /// c + sum of a[i] * b[i] over k elements of two packed rows; c and the result are s32.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;

 private:
  number_format a_, b_;
  integer_overflow overflow_;
};

/// How two rows of bits are combined before their ones are counted (PTX ISA, mma: .xor.popc and .and.popc).
enum class bit_operation : std::uint8_t { exclusive_or, conjunction };

/// Dot product of rows of bits: the population count of their combination, added to a 32-bit addend modulo 2^32.
class binary_dot_product {
 public:
  /// Throws std::invalid_argument if a format is not b1.
  binary_dot_product(const number_format& a, const number_format& b, bit_operation operation);

  /// c + number of ones among the k combined bits; c and the result are s32.
  std::uint64_t operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const;

 private:
  bit_operation operation_;
};

}  // namespace tc::numerics
