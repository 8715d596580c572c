// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tc/isa/element_type.hpp>

namespace tc::isa {

/// Comparison of ISETP, FSETP and the like. The forms with u are true when an operand is NaN.
enum class comparison : std::uint8_t {
  none,
  never,
  less,
  equal,
  less_equal,
  greater,
  not_equal,
  greater_equal,
  ordered,
  unordered,
  less_u,
  equal_u,
  less_equal_u,
  greater_u,
  not_equal_u,
  greater_equal_u,
  always,
  minimum,  ///< DSETP.MIN: which of two is the smaller one
  maximum,
};

/// How a comparison is combined with the predicate source.
enum class boolean_operation : std::uint8_t { none, conjunction, disjunction, exclusive_or };

/// Integer type of an operation.
enum class integer_type : std::uint8_t { s32, u32, s64, u64, s16, u16, s8, u8, s4, u4, s2, u2 };

constexpr bool is_signed(integer_type type) {
  return type == integer_type::s32 || type == integer_type::s64 || type == integer_type::s16 || type == integer_type::s8 ||
         type == integer_type::s4 || type == integer_type::s2;
}
constexpr bool is_64_bit(integer_type type) { return type == integer_type::s64 || type == integer_type::u64; }
constexpr unsigned bits_of(integer_type type) {
  switch (type) {
    case integer_type::s2:
    case integer_type::u2:
      return 2;
    case integer_type::s4:
    case integer_type::u4:
      return 4;
    case integer_type::s8:
    case integer_type::u8:
      return 8;
    case integer_type::s16:
    case integer_type::u16:
      return 16;
    case integer_type::s32:
    case integer_type::u32:
      return 32;
    default:
      return 64;
  }
}

/// Rounding of a floating-point result, and of the conversion of a number to an integer (.TRUNC, .FLOOR, .CEIL).
enum class float_rounding : std::uint8_t { nearest_even, toward_zero, downward, upward };

/// What F2FP makes of its operands: two small numbers of A and B, or one of the forms that keep or split an operand.
enum class conversion_packing : std::uint8_t { none, pack_ab, pack_b, pack_ab_merge_c, merge_c, unpack_b, unpack_b_merge_c };

enum class shift_direction : std::uint8_t { none, left, right };

/// Lane selection of SHFL.
enum class shuffle_mode : std::uint8_t { none, index, up, down, butterfly };

/// Quantifier of VOTE and MATCH.
enum class vote_mode : std::uint8_t { none, all, any, equal };

/// What MUFU computes. Arguments of the sine and the cosine are in turns; the functions of 64 bits take and give upper halves of f64.
enum class special_function : std::uint8_t {
  none,
  reciprocal,
  reciprocal_64,
  reciprocal_root,
  reciprocal_root_64,
  root,
  sine,
  cosine,
  power_of_two,
  logarithm,
  hyperbolic_tangent,
};

/// How an atomic operation, a reduction or REDUX combines two values.
enum class atomic_operation : std::uint8_t {
  none,
  add,
  minimum,
  maximum,
  increment,
  decrement,
  conjunction,
  disjunction,
  exclusive_or,
  exchange,
  compare_and_swap,
};

/// Byte selection of PRMT; none is the general form.
enum class permute_mode : std::uint8_t { none, forward_4, backward_4, replicate_8, edge_left, edge_right, replicate_16 };

/// What the dotted suffixes of a mnemonic say, other than the shape of a matrix instruction (mma_operation). Suffixes that change neither
/// the result nor the timing (other cache hints, memory scopes, .RELIABLE) are checked and dropped.
struct modifiers {
  comparison compare = comparison::none;
  boolean_operation combine = boolean_operation::none;
  integer_type type = integer_type::s32;
  integer_type earlier_type = integer_type::s32;  ///< the one named before `type`: of the first factor of IDP
  shift_direction shift = shift_direction::none;
  shuffle_mode shuffle = shuffle_mode::none;
  vote_mode vote = vote_mode::none;
  permute_mode permute = permute_mode::none;
  float_rounding rounding = float_rounding::nearest_even;
  conversion_packing packing = conversion_packing::none;
  special_function function = special_function::none;
  atomic_operation atomic = atomic_operation::none;
  element_type first_format = element_type::none;   ///< first floating-point format named: of the result in F2F, I2F, HADD2
  element_type second_format = element_type::none;  ///< second: of the source in F2F
  std::uint8_t access_bits = 32;                    ///< bits a lane loads or stores: 8, 16, 32, 64, 128
  std::uint8_t matrices = 0;                        ///< 8x8 matrices of LDSM, STSM and MOVM: 1, 2, 4
  bool access_signed = false;                       ///< .S8, .S16: the loaded value is sign-extended
  bool address_64 = false;                          ///< .E: the address is 64 bits wide
  bool bypass_l1 = false;                           ///< .STRONG, .BYPASS: other SMs see the access, so it goes to the L2 cache
  bool transpose = false;                           ///< .MT88
  bool carry_in = false;                            ///< .X: add the carry, in the predicates behind the sources
  bool high = false;                                ///< .HI: upper part of the result
  bool wide = false;                                ///< .WIDE: 64-bit result
  bool sign_extend = false;                         ///< .SX32: the second half of the shifted operand is its sign
  bool extended = false;                            ///< .EX: compare the upper half, with the outcome of the lower one
  bool wrap = false;                                ///< .W: shift amounts modulo the width instead of clamped
  bool shift_amount = false;                        ///< .SH of FLO: how far to shift the leading one to the top
  bool saturate = false;                            ///< .SAT
  bool finite = false;                              ///< .SATFINITE: the largest number in place of infinity
  bool accumulate = false;                          ///< .ACC of VABSDIFF4: differences are added to the third operand
  bool predicate_and = false;                       ///< .PAND of LOP3: its predicates are combined by AND instead of OR
  bool flush = false;                               ///< .FTZ: subnormals are zero
  bool zero_product = false;                        ///< .FMZ: zero times anything is zero; subnormals are zero too
  bool clamp_negative = false;                      ///< .RELU: negative results are zero
  bool nan_to_zero = false;                         ///< .NTZ: NaN becomes the integer 0
  bool matrix_pipe = false;                         ///< HFMA2.MMA
  bool defer_blocking = false;                      ///< .DEFER_BLOCKING of BAR: the warp goes on until an instruction must wait
  bool arrives_only = false;                        ///< .ARV of BAR: the warp does not wait
  bool clock_32 = false;                            ///< CS2R.32
  bool packed = false;                              ///< .F16x2, .F32x4: an atomic operation on each element of the access
  bool population = false;                          ///< .POPC of an atomic operation: adds how many lanes execute it
  bool propagates_nan = false;                      ///< .NAN of a minimum or maximum: NaN if one of the operands is
  bool sign_by_xor = false;                         ///< .XORSIGN of a minimum or maximum: its sign is that of the operands' product
  std::uint8_t dot_length = 0;                      ///< 2 or 4 products of IDP
};

/// Modifiers that are legal together with the same opcodes; opcode_info::modifier_groups is a set of them.
enum class modifier_group : std::uint8_t {
  comparison,
  float_comparison,
  boolean,
  type_32,
  type_64,
  small_types,
  carry,
  high,
  wide,
  sign_extend,
  extended,
  multiply_alias,
  shift_direction,
  shift_wrap,
  lookup_table,
  float_rounding,
  saturate,
  flush,
  float_formats,
  matrix_pipe,
  mufu_function,
  shuffle,
  vote,
  permute,
  access,
  address,
  cache,
  load_matrix,
  matrix_transpose,
  atomic,
  barrier,
  branch,
  convergence,
  clock,
  membar,
  conversion,
  bit_search,
  reduction,
  warp,
  less_equal,
  packing,
  extremum,
  pair,
  byte,
  predicate_and,
  accumulate,
  tiny_types,
  query,
  packed_halves,
  clamp,
};

template <typename... Groups>
constexpr std::uint64_t modifier_set(Groups... groups) {
  return (std::uint64_t{0} | ... | (std::uint64_t{1} << static_cast<unsigned>(groups)));
}

/// Enters the suffix `name` (without its dot) into `mods` if one of `groups` has it; false if none has.
bool apply_modifier(std::string_view name, std::uint64_t groups, modifiers& mods);

/// The suffixes of `groups`, for messages: ".X, .HI".
std::string modifier_names(std::uint64_t groups);

}  // namespace tc::isa
