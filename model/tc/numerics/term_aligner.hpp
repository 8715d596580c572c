// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

namespace tc::numerics {

/// Added to the exponent of a zero term that takes no part in the alignment: far below every real exponent.
inline constexpr int out_of_alignment = -(1 << 20);

/// Brings significands with `fraction_bits` fraction bits to the fraction bits of the alignment, truncating toward zero.
class term_aligner {
 public:
  term_aligner(unsigned fraction_bits, unsigned alignment_fraction_bits)
      : left_(static_cast<int>(alignment_fraction_bits > fraction_bits ? alignment_fraction_bits - fraction_bits : 0)),
        right_(static_cast<int>(fraction_bits > alignment_fraction_bits ? fraction_bits - alignment_fraction_bits : 0)) {}

  /// Signed significand in units of the last kept bit, `distance` below the largest exponent. `negative`: 0 or 1.
  std::int64_t operator()(std::uint64_t significand, std::uint32_t negative, int distance) const {
    const auto magnitude = static_cast<std::int64_t>((significand << left_) >> std::min(distance + right_, 63));
    const std::int64_t sign = -static_cast<std::int64_t>(negative);
    return (magnitude ^ sign) - sign;  // branch-free negation
  }

 private:
  int left_, right_;
};

}  // namespace tc::numerics
