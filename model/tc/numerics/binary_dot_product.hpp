// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/numerics/number_format.hpp>

namespace tc::numerics {

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
