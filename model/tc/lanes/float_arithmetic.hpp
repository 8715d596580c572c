// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/modifiers.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::lanes {

/// Scalar floating-point arithmetic as the lanes of a GPU do it: IEEE 754 operations in any of its four rounding directions, with what the
/// suffixes of an instruction change. NaN is always the canonical one, 0x7fffffff in f32 and 0x7fff in 16 bits (recorded on an H200).
class float_arithmetic {
 public:
  /// Results have the format `result`. With .FTZ, subnormal numbers of the format `flushed` become zeros of their sign, as operands and as
  /// rounded results (PTX ISA, .ftz).
  float_arithmetic(const isa::modifiers& mods, const numerics::number_format& result, const numerics::number_format& flushed);
  float_arithmetic(const isa::modifiers& mods, const numerics::number_format& format) : float_arithmetic(mods, format, format) {}

  const numerics::number_format& format() const { return result_; }

  /// An element as an operand.
  numerics::exact_number operand(std::uint64_t bits, const numerics::number_format& format) const;

  /// x times y, not rounded; elements of at most 30 significant bits.
  numerics::exact_number product(const numerics::exact_number& x, const numerics::exact_number& y) const;

  /// The result for x.
  std::uint64_t round(const numerics::exact_number& x) const;
  /// The result for x + y, rounded once. One of them may be a product.
  std::uint64_t sum(const numerics::exact_number& x, const numerics::exact_number& y) const;

 private:
  std::uint64_t finished(std::uint64_t magnitude, bool negative) const;
  std::uint64_t rounded_magnitude(const numerics::exact_number& x) const;

  isa::modifiers mods_;
  numerics::number_format result_, flushed_;
};

/// Whether a number between two neighbours goes to the one of larger magnitude: `remainder` is what is left of the smaller one, in units
/// of which `half` are half the distance (x is a tie if they are equal); `odd` says that the smaller one's last digit is.
bool rounds_away(isa::float_rounding rounding, bool negative, bool odd, std::uint64_t remainder, std::uint64_t half);

}  // namespace tc::lanes
