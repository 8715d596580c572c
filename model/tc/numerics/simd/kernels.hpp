// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tc::numerics::simd {

/// Limits of one call of a kernel. Larger products are cut into tiles.
inline constexpr unsigned maximum_rows = 16, maximum_columns = 32;
inline constexpr unsigned maximum_words = 128;     ///< of a row of A or a column of B
inline constexpr unsigned maximum_elements = 128;  ///< of a row of A or a column of B, if they are not single bits
inline constexpr unsigned maximum_b_words = 256;   ///< of all columns of B

/// The operands of one call. Elements are packed into words, in ascending k.
struct tile {
  unsigned rows, columns, words;
  unsigned stride;         ///< words from a word of a row of A to its next, and from a column of C and D to the next
  const std::uint32_t* a;  ///< word w of row r at [w * stride + r]
  const std::uint32_t* b;  ///< word w of column n at [n * words + w]
  const std::uint32_t* c;  ///< element (r, n) at [n * stride + r]
  std::uint32_t* d;        ///< as c; may be c
  /// Only for sums of floating-point numbers: whether element (r, n) of D, at [n * maximum_rows + r], was left as it was, because infinity
  /// or NaN is among its terms.
  std::uint32_t* left;
  /// Only for several products: words from one's A to the next one's; 0 where all have the same.
  unsigned a_apart = 0;
};

/// Where the fields of a floating-point format are once the sign of an element stands in the top bit of a lane, and what its exponents are.
struct element_fields {
  unsigned storage_bits;
  unsigned sign_position;  ///< in the element
  // For exponents: in lanes of 32 bits if the element takes 32, else of 16.
  unsigned exponent_position;
  std::int32_t magnitude_mask;
  std::int32_t smallest;       ///< smallest magnitude that is not taken for zero
  std::int32_t first_special;  ///< smallest magnitude that is infinity or NaN
  std::int32_t zero_exponent;
  // For factors: in lanes of 32 bits.
  unsigned factor_shift;      ///< to the right, with the sign, so that the exponent field ends where that of binary32 does
  std::uint32_t factor_mask;  ///< the sign and the fields, there
};

/// Exponents are sums of two exponent fields, 2 to 510 for a product of numbers. These are told apart from them, also after an addition.
inline constexpr std::int32_t zero_operand_exponent = -3500, zero_addend_exponent = -7000, special_operand_exponent = 7000,
                              first_special_exponent = 2000;

/// What a format of at most this many exponent bits holds, and every product, is a number of binary32 after a shift of the exponents.
inline constexpr unsigned narrow_exponent_bits = 5;
/// Exponent field that stands for a factor of 1 then.
inline constexpr std::int32_t narrow_centre = 16;

/// Sums of a group, and what they are added to. Which of them a plan may have, make_fused_plan() says.
enum class sum_kind : std::uint8_t {
  of_32_bits,  ///< below 2^31 units of the alignment, with the addend
  wide,        ///< perhaps larger
  binary32,    ///< the products are of_32_bits; addend and result are of binary32, and rounded toward zero
};
/// For sum_kind::binary32: larger sums of products, of which there are hardly any, are left to the unit, as an addend may not fit beside
/// them.
inline constexpr std::uint32_t largest_products = 0x70000000;

/// A truncated fused dot-product-add, summation::fused, made ready for the kernels.
struct fused_plan {
  element_fields a, b, addend;
  std::int32_t addend_offset;  ///< from the addend's exponent field to the exponent of a product that is as large
  unsigned group_words;        ///< words of a row whose products are summed in one step
  std::int32_t alignment_fraction_bits;
  std::int32_t smallest_alignment;  ///< smallest exponent that terms are aligned to, as an exponent of a product
  unsigned words_per_partial_sum;   ///< the products of that many words of a row have a sum of less than 2^31 units; only of wide sums

  std::int32_t minimum_exponent;  ///< of a normal result, as an exponent of a product
  std::int32_t exponents;         ///< how many normal results have
  unsigned fraction_bits, kept_fraction_bits;
  std::int32_t infinity, smallest_result;  ///< smaller ones become zero
  std::uint32_t sign_bit;
  bool to_nearest_even;

  bool pairs;   ///< elements of at most 16 bits
  bool narrow;  ///< both formats have at most narrow_exponent_bits
  sum_kind kind;
};

/// Sums of integers, exact in k.
struct integer_plan {
  unsigned storage_bits;
  bool a_is_signed, b_is_signed, saturate;
};

enum class bit_combination : std::uint8_t { exclusive_or, conjunction };

/// Returns whether some elements of D were left as they were.
using fused_kernel = bool (*)(const fused_plan&, const tile&);
using integer_kernel = void (*)(const integer_plan&, const tile&);
using binary_kernel = void (*)(bit_combination, const tile&);

/// Rows of a part of a matrix with four columns: see transposition.
inline constexpr unsigned transposed_part_rows = 8;

/// To the transpose of one part or two, and back.
using to_rows_kernel = void (*)(const std::uint32_t* const* parts, unsigned count, std::uint32_t* rows, unsigned pitch);
using from_rows_kernel = void (*)(const std::uint32_t* rows, unsigned pitch, std::uint32_t* const* parts, unsigned count);

/// The kernels of an instruction set.
struct kernel_set {
  fused_kernel (*fused)(const fused_plan&);  ///< the variant for a plan
  /// The variants for two and for four products of so many rows at once, which fill a vector; null if there is none. The tile is the first
  /// product; the operands of another, but for A, follow those of the one before. In tile::left its rows follow those of the one before.
  fused_kernel (*fused_two)(const fused_plan&, unsigned rows);
  fused_kernel (*fused_four)(const fused_plan&, unsigned rows);
  integer_kernel integer;
  binary_kernel binary;
  to_rows_kernel to_rows;
  from_rows_kernel from_rows;
};

extern const kernel_set portable_kernels, avx2_kernels, avx512_kernels;

}  // namespace tc::numerics::simd
