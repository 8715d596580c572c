// SPDX-License-Identifier: Apache-2.0
#include <tc/isa/element_type.hpp>
#include <tc/lanes/float_arithmetic.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>
#include <tc/lanes/predicate_combination.hpp>

namespace tc::lanes {

// Comparison, selection, minimum and maximum of floating-point numbers in every lane (PTX ISA, setp, min, max, selp).

namespace {

using numerics::number_class;
using numerics::number_format;

/// How two numbers lie to each other, a bit for each.
constexpr unsigned float_less = 1, float_equal = 2, float_greater = 4, float_unordered = 8;

unsigned accepted_relations(isa::comparison compare) {
  using isa::comparison;
  switch (compare) {
    case comparison::less:
      return float_less;
    case comparison::equal:
      return float_equal;
    case comparison::less_equal:
      return float_less | float_equal;
    case comparison::greater:
      return float_greater;
    case comparison::not_equal:
      return float_less | float_greater;
    case comparison::greater_equal:
      return float_greater | float_equal;
    case comparison::ordered:
      return float_less | float_equal | float_greater;
    case comparison::unordered:
      return float_unordered;
    case comparison::less_u:
      return float_less | float_unordered;
    case comparison::equal_u:
      return float_equal | float_unordered;
    case comparison::less_equal_u:
      return float_less | float_equal | float_unordered;
    case comparison::greater_u:
      return float_greater | float_unordered;
    case comparison::not_equal_u:
      return float_less | float_greater | float_unordered;
    case comparison::greater_equal_u:
      return float_greater | float_equal | float_unordered;
    case comparison::always:
      return float_less | float_equal | float_greater | float_unordered;
    default:
      return 0;
  }
}

bool is_nan(std::uint64_t bits, const number_format& format) {
  return format.class_of(bits & format.magnitude_mask()) == number_class::nan;
}

/// With .FTZ a subnormal number is the zero of its sign.
std::uint64_t flushed(std::uint64_t bits, const number_format& format, bool flush) {
  const bool is_subnormal = (bits & format.magnitude_mask()) <= format.fraction_mask();
  return flush && is_subnormal ? bits & format.sign_bit() : bits;
}

/// A number that orders finite patterns and infinities as their values are; both zeros are 0.
std::int64_t order_of_pattern(std::uint64_t bits, const number_format& format) {
  const auto magnitude = static_cast<std::int64_t>(bits & format.magnitude_mask());
  return (bits & format.sign_bit()) != 0 ? -magnitude : magnitude;
}

unsigned relation(std::uint64_t a, std::uint64_t b, const number_format& format) {
  if (is_nan(a, format) || is_nan(b, format)) return float_unordered;
  const std::int64_t x = order_of_pattern(a, format), y = order_of_pattern(b, format);
  return x < y ? float_less : x == y ? float_equal : float_greater;
}

constexpr unsigned choice_source = 2;  // the predicate that a comparison is combined with, or that selects

/// Lanes in which the comparison of elements `half` holds.
std::uint32_t holding(const lane_operands& in, const number_format& format, unsigned half) {
  const unsigned accepted = accepted_relations(in.mods().compare);
  const bool flush = in.mods().flush && format != numerics::f64;
  return collect_predicate([&](unsigned lane) {
    const std::uint64_t a = flushed(in.number(0, lane, format, half), format, flush);
    const std::uint64_t b = flushed(in.number(1, lane, format, half), format, flush);
    return (relation(a, b, format) & accepted) != 0;
  });
}

/// The format of packed operands.
const number_format& half_format(const isa::modifiers& mods) {
  const bool is_bf16 = mods.first_format == isa::element_type::bf16 || mods.second_format == isa::element_type::bf16;
  return is_bf16 ? numerics::bf16 : numerics::f16;
}

/// The smaller or larger of two; -0 is smaller than +0. Of a number and NaN the number, but with .NAN it is NaN.
std::uint64_t extremum(std::uint64_t a, std::uint64_t b, bool smaller, const isa::modifiers& mods, const number_format& format) {
  const bool a_is_nan = is_nan(a, format), b_is_nan = is_nan(b, format);
  if ((a_is_nan && b_is_nan) || (mods.propagates_nan && (a_is_nan || b_is_nan))) return format.canonical_nan();
  if (a_is_nan || b_is_nan) return a_is_nan ? b : a;
  const std::int64_t x = order_of_pattern(a, format), y = order_of_pattern(b, format);
  const bool a_is_smaller = x != y ? x < y : (a & format.sign_bit()) != 0;
  const std::uint64_t chosen = a_is_smaller == smaller ? a : b;
  return mods.sign_by_xor ? (chosen & ~format.sign_bit()) | ((a ^ b) & format.sign_bit()) : chosen;
}

void set_compared(const lane_operands& in, std::uint32_t holds, lane_result& out) {
  const std::uint32_t other = in.predicate(choice_source);
  set_predicates(in.code(), out, combined(in.mods().combine, holds, other), combined(in.mods().combine, ~holds, other));
}

void compare_words(const lane_operands& in, lane_result& out) { set_compared(in, holding(in, numerics::f32, 0), out); }
/// DSETP.MIN, MAX: whether the first one is chosen, as minimum and maximum do it, and whether neither is a number. Compiled code selects by
/// the former and makes a NaN of the latter.
void choose_double(const lane_operands& in, lane_result& out) {
  const bool smaller = in.mods().compare == isa::comparison::minimum;
  const auto operand = [&](unsigned s, unsigned lane) { return in.number(s, lane, numerics::f64); };
  const std::uint32_t chosen = collect_predicate([&](unsigned lane) {
    const std::uint64_t a = operand(0, lane), b = operand(1, lane);
    return is_nan(b, numerics::f64) || (!is_nan(a, numerics::f64) && extremum(a, b, smaller, {}, numerics::f64) == a);
  });
  const std::uint32_t neither =
      collect_predicate([&](unsigned lane) { return is_nan(operand(0, lane), numerics::f64) && is_nan(operand(1, lane), numerics::f64); });
  const std::uint32_t other = in.predicate(choice_source);
  set_predicates(in.code(), out, combined(in.mods().combine, chosen, other), combined(in.mods().combine, neither, other));
}

void compare_doubles(const lane_operands& in, lane_result& out) {
  const isa::comparison compare = in.mods().compare;
  if (compare == isa::comparison::minimum || compare == isa::comparison::maximum) return choose_double(in, out);
  set_compared(in, holding(in, numerics::f64, 0), out);
}

/// Of DSETP alone the smaller or larger one is asked for.
bool ordering_form(const isa::instruction& code) {
  return code.mods.compare != isa::comparison::minimum && code.mods.compare != isa::comparison::maximum;
}

/// HSETP2: a predicate for each half.
void compare_halves(const lane_operands& in, lane_result& out) {
  const number_format& format = half_format(in.mods());
  const std::uint32_t other = in.predicate(choice_source);
  set_predicates(in.code(), out, combined(in.mods().combine, holding(in, format, 0), other),
                 combined(in.mods().combine, holding(in, format, 1), other));
}

/// FSET.BF, HSET2.BF: 1 where the comparison holds. The bits of a word or of a half, otherwise.
bool gives_number(const isa::modifiers& mods) {
  return mods.first_format == isa::element_type::f32 || mods.second_format == isa::element_type::f32;
}

std::uint32_t true_value(const isa::modifiers& mods, const number_format& format) {
  const auto one = static_cast<std::uint32_t>(format.bias) << format.fraction_bits;
  return gives_number(mods) ? one : static_cast<std::uint32_t>(format.storage_mask());
}

void set_words(const lane_operands& in, lane_result& out) {
  const std::uint32_t holds = combined(in.mods().combine, holding(in, numerics::f32, 0), in.predicate(choice_source));
  const std::uint32_t value = true_value(in.mods(), numerics::f32);
  set_lanes(out.registers[0], [&](unsigned lane) { return predicate_bit(holds, lane) != 0 ? value : 0; });
}

void set_halves(const lane_operands& in, lane_result& out) {
  const number_format& format = half_format(in.mods());
  const std::uint32_t other = in.predicate(choice_source), value = true_value(in.mods(), format);
  const std::uint32_t low = combined(in.mods().combine, holding(in, format, 0), other),
                      high = combined(in.mods().combine, holding(in, format, 1), other);
  set_lanes(out.registers[0], [&](unsigned lane) {
    return (predicate_bit(low, lane) != 0 ? value : 0) | (predicate_bit(high, lane) != 0 ? value << warp::half_bits : 0);
  });
}

std::uint64_t lane_extremum(const lane_operands& in, unsigned lane, const number_format& format, unsigned half) {
  const bool flush = in.mods().flush && format != numerics::f64;
  const std::uint64_t a = flushed(in.number(0, lane, format, half), format, flush);
  const std::uint64_t b = flushed(in.number(1, lane, format, half), format, flush);
  return extremum(a, b, predicate_bit(in.predicate(choice_source), lane) != 0, in.mods(), format);
}

void word_extremum(const lane_operands& in, lane_result& out) {
  set_lanes(out.registers[0], [&](unsigned lane) { return static_cast<std::uint32_t>(lane_extremum(in, lane, numerics::f32, 0)); });
}

void half_extremum(const lane_operands& in, lane_result& out) {
  const number_format& format = half_format(in.mods());
  set_lanes(out.registers[0], [&](unsigned lane) {
    return static_cast<std::uint32_t>(lane_extremum(in, lane, format, 1) << warp::half_bits | lane_extremum(in, lane, format, 0));
  });
}

void double_extremum(const lane_operands& in, lane_result& out) {
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const std::uint64_t value = lane_extremum(in, lane, numerics::f64, 0);
    out.registers[0][lane] = static_cast<std::uint32_t>(value);
    out.registers[1][lane] = static_cast<std::uint32_t>(value >> 32U);
  }
}

/// FSEL: the first one where the predicate is true.
void select_number(const lane_operands& in, lane_result& out) {
  const std::uint32_t take_a = in.predicate(choice_source);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const std::uint64_t chosen = in.number(predicate_bit(take_a, lane) != 0 ? 0 : 1, lane, numerics::f32);
    return static_cast<std::uint32_t>(flushed(chosen, numerics::f32, in.mods().flush));
  });
}

}  // namespace

std::vector<lane_row> comparison_lane_operations() {
  using isa::opcode;
  return {
      {opcode::fsetp, compare_words, ordering_form},   {opcode::dsetp, compare_doubles, any_form},
      {opcode::hsetp2, compare_halves, ordering_form}, {opcode::fset, set_words, ordering_form},
      {opcode::hset2, set_halves, ordering_form},      {opcode::fmnmx, word_extremum, any_form},
      {opcode::hmnmx2, half_extremum, any_form},       {opcode::dmnmx, double_extremum, any_form},
      {opcode::fsel, select_number, any_form},
  };
}

}  // namespace tc::lanes
