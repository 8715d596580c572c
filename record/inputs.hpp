// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "number_format.hpp"
#include "variant.hpp"

namespace tc::record {

/// Operands of one product D = A x B + C as bit patterns, row by row: A is m x k, B is k x n, C is m x n.
struct operand_matrices {
  std::vector<std::uint64_t> a, b, c;
};

/// What the elements of A and B are drawn from.
enum class operand_kind : std::uint8_t {
  any_bits,        ///< every pattern: NaN, infinities and subnormal numbers among them
  moderate,        ///< numbers around one; integers: -2 to 2; bits: one in eight is set
  extreme,         ///< products at the upper end of the result's range; integers: the least or the greatest
  zero_and_large,  ///< zeros that meet large numbers, beside small products; integers: half of them zero
  wide,            ///< exponents all over the format
  ladder,          ///< products that descend along k, each followed by one that nearly cancels it
  subnormal,       ///< A, B or both subnormal
  positive_or_negative_one
};

/// What the elements of C are drawn from.
enum class accumulator_kind : std::uint8_t {
  any_bits,
  zero,      ///< of either sign
  moderate,  ///< numbers around one; integers: -1024 to 1023
  near_positive_limit,
  near_negative_limit,
  cancelling,         ///< close to minus the sum of products
  far_from_products,  ///< 18 to 32 binary places above or below the sum of products
  subnormal
};

constexpr unsigned integer_operand_kinds = 4, floating_operand_kinds = 8;
constexpr unsigned integer_accumulator_kinds = 5, floating_accumulator_kinds = 8;

/// The cases of one variant, a pure function of the variant and the seed. Consecutive cases take the kinds of operands in turn, and the
/// kinds of accumulators after a round of those.
class input_maker {
 public:
  input_maker(const variant& instruction, std::uint64_t seed);

  /// The operands of the next case: a product for each of the variant's instances, all of one kind.
  std::vector<operand_matrices> next();

 private:
  operand_matrices make(operand_kind operands, accumulator_kind accumulators);

  void make_integers(operand_matrices& matrices, operand_kind kind);
  void make_integer_accumulators(operand_matrices& matrices, accumulator_kind kind);
  std::uint64_t integer(element type, operand_kind kind);

  void make_floats(operand_matrices& matrices, operand_kind kind);
  void make_zeros_and_large(operand_matrices& matrices);
  void make_ladder(operand_matrices& matrices);
  void make_float_accumulators(operand_matrices& matrices, accumulator_kind kind);
  std::uint64_t float_operand(element type, operand_kind kind);
  std::uint64_t float_accumulator(accumulator_kind kind, double sum_of_products);

  /// Any pattern; one in 32 of a floating-point format is special, since an infinity of 32 bits would not come up by chance.
  std::uint64_t bits(element type);
  std::uint64_t special(const number_format& format);  ///< a zero, an infinity (e4m3: 256) or a NaN
  std::uint64_t number(element type, int lowest_exponent, int highest_exponent);
  std::uint64_t zero(element type);
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  int between(int lowest, int highest) { return lowest + static_cast<int>(below(static_cast<std::uint64_t>(highest - lowest + 1))); }
  bool coin() { return below(2) != 0; }

  variant instruction_;
  std::mt19937_64 random_;
  unsigned case_ = 0;
};

}  // namespace tc::record
