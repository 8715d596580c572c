// SPDX-License-Identifier: Apache-2.0
#include "modifiers.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace tc::isa {
namespace {

using group = modifier_group;
using cmp = comparison;

/// One suffix: the group that makes it legal, and what it sets.
struct modifier_row {
  std::string_view name;
  modifier_group group;
  void (*apply)(modifiers&);
};

// clang-format off
constexpr auto ignored = [](modifiers&) {};
template <comparison Value> constexpr auto compare = [](modifiers& m) { m.compare = Value; };
template <boolean_operation Value> constexpr auto combine = [](modifiers& m) { m.combine = Value; };
template <integer_type Value> constexpr auto type = [](modifiers& m) { m.earlier_type = m.type; m.type = Value; };
template <integer_type Value> constexpr auto halves = [](modifiers& m) { m.type = Value; m.packed = true; };
template <shift_direction Value> constexpr auto shift = [](modifiers& m) { m.shift = Value; };
template <shuffle_mode Value> constexpr auto shuffle = [](modifiers& m) { m.shuffle = Value; };
template <vote_mode Value> constexpr auto vote = [](modifiers& m) { m.vote = Value; };
template <permute_mode Value> constexpr auto permute = [](modifiers& m) { m.permute = Value; };
template <std::uint8_t Bits, bool Signed = false> constexpr auto access =
    [](modifiers& m) { m.access_bits = Bits; m.access_signed = Signed; };
template <std::uint8_t Count> constexpr auto matrices = [](modifiers& m) { m.matrices = Count; };
template <element_type Value> constexpr auto format =
    [](modifiers& m) { (m.first_format == element_type::none ? m.first_format : m.second_format) = Value; };
template <float_rounding Value> constexpr auto rounding = [](modifiers& m) { m.rounding = Value; };
template <conversion_packing Value> constexpr auto packing = [](modifiers& m) { m.packing = Value; };
template <special_function Value> constexpr auto function = [](modifiers& m) { m.function = Value; };
template <atomic_operation Value> constexpr auto atomic = [](modifiers& m) { m.atomic = Value; };
template <element_type Value, std::uint8_t Bits> constexpr auto elements =
    [](modifiers& m) { m.first_format = Value; m.access_bits = Bits; m.packed = true; };
template <std::uint8_t Length> constexpr auto products = [](modifiers& m) { m.dot_length = Length; };
template <bool modifiers::*Flag> constexpr auto set = [](modifiers& m) { m.*Flag = true; };

/// All suffixes. A name may stand in several groups; an opcode takes the first row whose group it allows.
constexpr modifier_row modifier_rows[] = {
    {"F", group::comparison, compare<cmp::never>},
    {"LT", group::comparison, compare<cmp::less>},
    {"EQ", group::comparison, compare<cmp::equal>},
    {"LE", group::comparison, compare<cmp::less_equal>},
    {"GT", group::comparison, compare<cmp::greater>},
    {"NE", group::comparison, compare<cmp::not_equal>},
    {"GE", group::comparison, compare<cmp::greater_equal>},
    {"T", group::comparison, compare<cmp::always>},
    {"MIN", group::float_comparison, compare<cmp::minimum>},
    {"MAX", group::float_comparison, compare<cmp::maximum>},
    {"BF", group::float_comparison, format<element_type::f32>},
    {"NUM", group::float_comparison, compare<cmp::ordered>},
    {"NAN", group::float_comparison, compare<cmp::unordered>},
    {"LTU", group::float_comparison, compare<cmp::less_u>},
    {"EQU", group::float_comparison, compare<cmp::equal_u>},
    {"LEU", group::float_comparison, compare<cmp::less_equal_u>},
    {"GTU", group::float_comparison, compare<cmp::greater_u>},
    {"NEU", group::float_comparison, compare<cmp::not_equal_u>},
    {"GEU", group::float_comparison, compare<cmp::greater_equal_u>},

    {"AND", group::boolean, combine<boolean_operation::conjunction>},
    {"OR", group::boolean, combine<boolean_operation::disjunction>},
    {"XOR", group::boolean, combine<boolean_operation::exclusive_or>},

    {"U32", group::type_32, type<integer_type::u32>},
    {"S32", group::type_32, type<integer_type::s32>},
    {"U64", group::type_64, type<integer_type::u64>},
    {"S64", group::type_64, type<integer_type::s64>},
    {"U16", group::small_types, type<integer_type::u16>},
    {"S16", group::small_types, type<integer_type::s16>},
    {"U16x2", group::small_types, halves<integer_type::u16>},
    {"S16x2", group::small_types, halves<integer_type::s16>},
    {"U8", group::small_types, type<integer_type::u8>},
    {"S8", group::small_types, type<integer_type::s8>},
    {"U4", group::tiny_types, type<integer_type::u4>},
    {"S4", group::tiny_types, type<integer_type::s4>},
    {"U2", group::tiny_types, type<integer_type::u2>},
    {"S2", group::tiny_types, type<integer_type::s2>},

    {"X", group::carry, set<&modifiers::carry_in>},
    {"HI", group::high, set<&modifiers::high>},
    {"WIDE", group::wide, set<&modifiers::wide>},
    {"SX32", group::sign_extend, set<&modifiers::sign_extend>},
    {"EX", group::extended, set<&modifiers::extended>},
    // The disassembler's names for multiply-adds with a neutral factor or addend; the operands say the same.
    {"MOV", group::multiply_alias, ignored},
    {"IADD", group::multiply_alias, ignored},
    {"SHL", group::multiply_alias, ignored},
    {"L", group::shift_direction, shift<shift_direction::left>},
    {"R", group::shift_direction, shift<shift_direction::right>},
    {"W", group::shift_wrap, set<&modifiers::wrap>},
    {"C", group::shift_wrap, ignored},
    {"LUT", group::lookup_table, ignored},
    {"PAND", group::predicate_and, set<&modifiers::predicate_and>},
    {"ACC", group::accumulate, set<&modifiers::accumulate>},
    {"16x2", group::packed_halves, set<&modifiers::packed>},
    {"RELU", group::clamp, set<&modifiers::clamp_negative>},
    {"D", group::query, ignored},
    {"G", group::query, ignored},
    {"L", group::query, ignored},
    {"S", group::query, ignored},

    {"RN", group::float_rounding, rounding<float_rounding::nearest_even>},
    {"RM", group::float_rounding, rounding<float_rounding::downward>},
    {"RP", group::float_rounding, rounding<float_rounding::upward>},
    {"RZ", group::float_rounding, rounding<float_rounding::toward_zero>},
    {"SAT", group::saturate, set<&modifiers::saturate>},
    {"FTZ", group::flush, set<&modifiers::flush>},
    {"FMZ", group::flush, [](modifiers& m) { m.flush = m.zero_product = true; }},
    {"F64", group::float_formats, format<element_type::f64>},
    {"F32", group::float_formats, format<element_type::f32>},
    {"TF32", group::float_formats, format<element_type::tf32>},
    {"F16", group::float_formats, format<element_type::f16>},
    {"F16_V2", group::float_formats, format<element_type::f16>},
    {"BF16", group::float_formats, format<element_type::bf16>},
    {"BF16_V2", group::float_formats, format<element_type::bf16>},
    {"E4M3", group::float_formats, format<element_type::e4m3>},
    {"E5M2", group::float_formats, format<element_type::e5m2>},
    {"MMA", group::matrix_pipe, set<&modifiers::matrix_pipe>},
    {"RELU", group::matrix_pipe, set<&modifiers::clamp_negative>},
    {"TRUNC", group::conversion, rounding<float_rounding::toward_zero>},
    {"FLOOR", group::conversion, rounding<float_rounding::downward>},
    {"CEIL", group::conversion, rounding<float_rounding::upward>},
    {"ROUND", group::conversion, rounding<float_rounding::nearest_even>},
    {"NTZ", group::conversion, set<&modifiers::nan_to_zero>},
    {"PACK_AB", group::conversion, packing<conversion_packing::pack_ab>},
    {"PACK_B", group::conversion, packing<conversion_packing::pack_b>},
    {"PACK_AB_MERGE_C", group::conversion, packing<conversion_packing::pack_ab_merge_c>},
    {"MERGE_C", group::conversion, packing<conversion_packing::merge_c>},
    {"UNPACK_B", group::conversion, packing<conversion_packing::unpack_b>},
    {"UNPACK_B_MERGE_C", group::conversion, packing<conversion_packing::unpack_b_merge_c>},
    {"SATFINITE", group::conversion, set<&modifiers::finite>},
    {"RELU", group::conversion, set<&modifiers::clamp_negative>},
    {"RCP", group::mufu_function, function<special_function::reciprocal>},
    {"RCP64H", group::mufu_function, function<special_function::reciprocal_64>},
    {"RSQ", group::mufu_function, function<special_function::reciprocal_root>},
    {"RSQ64H", group::mufu_function, function<special_function::reciprocal_root_64>},
    {"SQRT", group::mufu_function, function<special_function::root>},
    {"SIN", group::mufu_function, function<special_function::sine>},
    {"COS", group::mufu_function, function<special_function::cosine>},
    {"EX2", group::mufu_function, function<special_function::power_of_two>},
    {"LG2", group::mufu_function, function<special_function::logarithm>},
    {"TANH", group::mufu_function, function<special_function::hyperbolic_tangent>},

    {"IDX", group::shuffle, shuffle<shuffle_mode::index>},
    {"UP", group::shuffle, shuffle<shuffle_mode::up>},
    {"DOWN", group::shuffle, shuffle<shuffle_mode::down>},
    {"BFLY", group::shuffle, shuffle<shuffle_mode::butterfly>},
    {"ALL", group::vote, vote<vote_mode::all>},
    {"ANY", group::vote, vote<vote_mode::any>},
    {"EQ", group::vote, vote<vote_mode::equal>},
    {"IDX", group::permute, ignored},
    {"F4E", group::permute, permute<permute_mode::forward_4>},
    {"B4E", group::permute, permute<permute_mode::backward_4>},
    {"RC8", group::permute, permute<permute_mode::replicate_8>},
    {"ECL", group::permute, permute<permute_mode::edge_left>},
    {"ECR", group::permute, permute<permute_mode::edge_right>},
    {"RC16", group::permute, permute<permute_mode::replicate_16>},
    {"SH", group::bit_search, set<&modifiers::shift_amount>},
    {"SUM", group::reduction, atomic<atomic_operation::add>},
    {"MIN", group::reduction, atomic<atomic_operation::minimum>},
    {"MAX", group::reduction, atomic<atomic_operation::maximum>},
    {"2A", group::packing, products<2>},
    {"4A", group::packing, products<4>},
    {"LO", group::packing, ignored},
    {"HI", group::packing, set<&modifiers::high>},
    {"NAN", group::extremum, set<&modifiers::propagates_nan>},
    {"XORSIGN", group::extremum, set<&modifiers::sign_by_xor>},
    {"B0", group::byte, ignored},
    {"B1", group::byte, ignored},
    {"B2", group::byte, ignored},
    {"B3", group::byte, ignored},
    {"64", group::pair, set<&modifiers::wide>},

    {"U8", group::access, access<8>},
    {"S8", group::access, access<8, true>},
    {"U16", group::access, access<16>},
    {"S16", group::access, access<16, true>},
    {"32", group::access, access<32>},
    {"64", group::access, access<64>},
    {"128", group::access, access<128>},
    {"U", group::access, ignored},
    {"E", group::address, set<&modifiers::address_64>},
    {"CONSTANT", group::cache, ignored},
    {"SYS", group::cache, ignored},
    {"GPU", group::cache, ignored},
    {"CTA", group::cache, ignored},
    {"SM", group::cache, ignored},
    {"STRONG", group::cache, set<&modifiers::bypass_l1>},
    {"WEAK", group::cache, ignored},
    {"MMIO", group::cache, ignored},
    {"PRIVATE", group::cache, ignored},
    {"EF", group::cache, ignored},
    {"EL", group::cache, ignored},
    {"LU", group::cache, ignored},
    {"EU", group::cache, ignored},
    {"NA", group::cache, ignored},
    {"LTC64B", group::cache, ignored},
    {"LTC128B", group::cache, ignored},
    {"LTC256B", group::cache, ignored},
    {"BYPASS", group::cache, set<&modifiers::bypass_l1>},
    {"ACCESS", group::cache, ignored},
    {"ZFILL", group::cache, ignored},
    {"PF1", group::cache, ignored},
    {"PF2", group::cache, ignored},
    {"IV", group::cache, ignored},
    {"IVALL", group::cache, ignored},
    {"DML2", group::cache, ignored},
    {"PML2", group::cache, ignored},
    {"RML2", group::cache, ignored},
    {"16", group::matrix_transpose, ignored},
    {"MT88", group::matrix_transpose, [](modifiers& m) { m.transpose = true; m.matrices = 1; }},
    {"M88", group::load_matrix, matrices<1>},
    {"2", group::load_matrix, matrices<2>},
    {"4", group::load_matrix, matrices<4>},
    {"ADD", group::atomic, atomic<atomic_operation::add>},
    {"MIN", group::atomic, atomic<atomic_operation::minimum>},
    {"MAX", group::atomic, atomic<atomic_operation::maximum>},
    {"INC", group::atomic, atomic<atomic_operation::increment>},
    {"DEC", group::atomic, atomic<atomic_operation::decrement>},
    {"AND", group::atomic, atomic<atomic_operation::conjunction>},
    {"OR", group::atomic, atomic<atomic_operation::disjunction>},
    {"XOR", group::atomic, atomic<atomic_operation::exclusive_or>},
    {"EXCH", group::atomic, atomic<atomic_operation::exchange>},
    {"CAS", group::atomic, atomic<atomic_operation::compare_and_swap>},
    {"CAST", group::atomic, atomic<atomic_operation::compare_and_swap>},
    {"SPIN", group::atomic, ignored},
    {"POPC", group::atomic, set<&modifiers::population>},
    {"F16x2", group::atomic, elements<element_type::f16, 32>},
    {"F16x4", group::atomic, elements<element_type::f16, 64>},
    {"F16x8", group::atomic, elements<element_type::f16, 128>},
    {"BF16x2", group::atomic, elements<element_type::bf16, 32>},
    {"BF16x4", group::atomic, elements<element_type::bf16, 64>},
    {"BF16x8", group::atomic, elements<element_type::bf16, 128>},
    {"F32x2", group::atomic, elements<element_type::f32, 64>},
    {"F32x4", group::atomic, elements<element_type::f32, 128>},
    {"RN", group::atomic, ignored},
    {"FTZ", group::atomic, set<&modifiers::flush>},

    {"SYNC", group::barrier, ignored},
    {"SYNCALL", group::barrier, ignored},
    {"ARV", group::barrier, set<&modifiers::arrives_only>},
    {"RED", group::barrier, ignored},
    {"SCAN", group::barrier, ignored},
    {"POPC", group::barrier, ignored},
    {"DEFER_BLOCKING", group::barrier, set<&modifiers::defer_blocking>},
    {"RESULT", group::barrier, ignored},
    {"BAR", group::barrier, ignored},
    {"WARP", group::barrier, ignored},
    {"U", group::branch, ignored},
    {"ANY", group::branch, ignored},
    {"ALL", group::branch, ignored},
    {"DIV", group::branch, ignored},
    {"CONV", group::branch, ignored},
    {"REL", group::branch, ignored},
    {"ABS", group::branch, ignored},
    {"INC", group::branch, ignored},
    {"NOINC", group::branch, ignored},
    {"NODEC", group::branch, ignored},
    {"KEEPREFCOUNT", group::branch, ignored},
    {"TRAP", group::branch, ignored},
    {"32", group::convergence, ignored},
    {"64", group::convergence, ignored},
    {"CLEAR", group::convergence, ignored},
    {"PQUAD", group::convergence, ignored},
    {"RELIABLE", group::convergence, ignored},
    {"RECONVERGENT", group::convergence, ignored},
    {"ALL", group::warp, ignored},
    {"EXCLUSIVE", group::warp, ignored},
    {"COLLECTIVE", group::warp, ignored},
    {"WARP", group::warp, ignored},
    {"32", group::clock, set<&modifiers::clock_32>},
    {"64", group::clock, ignored},
    {"SC", group::membar, ignored},
    {"ALL", group::membar, ignored},
    {"CTA", group::membar, ignored},
    {"GPU", group::membar, ignored},
    {"SYS", group::membar, ignored},
    {"VC", group::membar, ignored},
    {"VIEW", group::membar, ignored},
    {"ASYNC", group::membar, ignored},
    {"S", group::membar, ignored},
    {"T", group::membar, ignored},
    {"LE", group::less_equal, ignored},
};
// clang-format on

bool allows(std::uint64_t groups, modifier_group wanted) { return (groups & modifier_set(wanted)) != 0; }

}  // namespace

bool apply_modifier(std::string_view name, std::uint64_t groups, modifiers& mods) {
  const auto* found = std::find_if(std::begin(modifier_rows), std::end(modifier_rows),
                                   [&](const modifier_row& row) { return row.name == name && allows(groups, row.group); });
  if (found == std::end(modifier_rows)) return false;
  found->apply(mods);
  return true;
}

std::string modifier_names(std::uint64_t groups) {
  std::string names;
  for (const modifier_row& row : modifier_rows) {
    if (allows(groups, row.group)) names += (names.empty() ? "." : ", .") + std::string(row.name);
  }
  return names.empty() ? "none" : names;
}

}  // namespace tc::isa
