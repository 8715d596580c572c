// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <cstring>

#include <tc/isa/element_type.hpp>
#include <tc/lanes/float_arithmetic.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

// What the special function unit approximates. Silicon interpolates in tables that are not published; here the result is the nearest f32,
// which is a few units in the last place from silicon's at most. Subnormal operands and results are zeros, as on silicon (compiled code
// scales them, and takes the scale back).

namespace {

constexpr std::uint32_t word_sign = 0x80000000, word_nan = 0x7fffffff;

std::uint32_t flushed_word(std::uint32_t bits) { return (bits & 0x7f800000U) == 0 ? bits & word_sign : bits; }

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint32_t bits_of_float(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Sine or cosine of x turns. The fraction of a turn is exact, so that large arguments are no worse.
long double of_turns(double x, bool is_cosine) {
  constexpr long double circle = 6.283185307179586476925286766559L;
  const long double angle = circle * static_cast<long double>(x - std::nearbyint(x));
  return is_cosine ? std::cos(angle) : std::sin(angle);
}

long double approximated(isa::special_function function, double x) {
  using isa::special_function;
  switch (function) {
    case special_function::reciprocal:
      return 1.0L / x;
    case special_function::reciprocal_root:
      return 1.0L / std::sqrt(static_cast<long double>(x));
    case special_function::root:
      return std::sqrt(static_cast<long double>(x));
    case special_function::sine:
      return of_turns(x, false);
    case special_function::cosine:
      return of_turns(x, true);
    case special_function::power_of_two:
      return std::exp2(static_cast<long double>(x));
    case special_function::logarithm:
      return std::log2(static_cast<long double>(x));
    default:
      return std::tanh(static_cast<long double>(x));
  }
}

std::uint32_t special_value(isa::special_function function, std::uint32_t operand) {
  const auto value = static_cast<float>(approximated(function, float_of(flushed_word(operand))));
  return std::isnan(value) ? word_nan : flushed_word(bits_of_float(value));
}

/// Of the upper half of an f64, the upper half of the result, whose lower half is zero.
std::uint32_t special_upper_half(isa::special_function function, std::uint32_t operand) {
  const std::uint64_t bits = std::uint64_t{operand} << 32U;
  double x;
  std::memcpy(&x, &bits, sizeof x);
  if (std::fpclassify(x) == FP_SUBNORMAL) x = std::copysign(0.0, x);
  const bool is_reciprocal = function == isa::special_function::reciprocal_64;
  const double value = is_reciprocal ? 1.0 / x : 1.0 / std::sqrt(x);
  std::uint64_t result;
  std::memcpy(&result, &value, sizeof result);
  return std::isnan(value) ? word_nan : static_cast<std::uint32_t>(result >> 32U);
}

/// Of f16 or bf16, in the lower half or in the half that the operand names. Subnormal numbers are numbers.
void approximate_halves(const lane_operands& in, lane_result& out) {
  const numerics::number_format& format = isa::format_of(in.mods().first_format);
  const isa::modifiers nearest;
  const float_arithmetic to_word(nearest, numerics::f32), to_half(nearest, format);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const auto operand = static_cast<std::uint32_t>(to_word.round(to_word.operand(in.number(0, lane, format), format)));
    const auto value = static_cast<float>(approximated(in.mods().function, float_of(operand)));
    return static_cast<std::uint32_t>(to_half.round(to_half.operand(bits_of_float(value), numerics::f32)));
  });
}

void approximate(const lane_operands& in, lane_result& out) {
  using isa::special_function;
  const isa::element_type named = in.mods().first_format;
  if (named == isa::element_type::f16 || named == isa::element_type::bf16) return approximate_halves(in, out);
  const special_function function = in.mods().function;
  const bool is_upper_half = function == special_function::reciprocal_64 || function == special_function::reciprocal_root_64;
  set_lanes(out.registers[0], [&](unsigned lane) {
    const auto operand = static_cast<std::uint32_t>(in.number(0, lane, numerics::f32));
    return is_upper_half ? special_upper_half(function, operand) : special_value(function, operand);
  });
}

/// MUFU of f32, of f16 and bf16, and of upper halves of f64.
bool approximated_form(const isa::instruction& code) {
  const isa::element_type named = code.mods.first_format;
  return code.mods.function != isa::special_function::none && (named == isa::element_type::none || named == isa::element_type::f32 ||
                                                               named == isa::element_type::f16 || named == isa::element_type::bf16);
}

/// FCHK: whether a division needs the way around for operands or results that are not normal. Its bounds are inferred: the way around gives
/// the same quotient, so that it costs only time where it is taken without need.
void check_division(const lane_operands& in, lane_result& out) {
  constexpr int bias = 127, largest_exponent = 254, margin = 2;
  const std::uint32_t needs_way_around = collect_predicate([&](unsigned lane) {
    const auto field = [&](unsigned s) { return static_cast<int>(in.number(s, lane, numerics::f32) >> 23U & 0xffU); };
    const int numerator = field(0), denominator = field(1), quotient = numerator - denominator + bias;
    const bool is_plain = numerator > 23 + margin && numerator < largest_exponent && denominator > margin &&
                          denominator < largest_exponent - margin && quotient > margin && quotient < largest_exponent - margin;
    return !is_plain;
  });
  set_predicates(in.code(), out, needs_way_around);
}

}  // namespace

std::vector<lane_row> special_function_lane_operations() {
  using isa::opcode;
  return {{opcode::mufu, approximate, approximated_form}, {opcode::fchk, check_division, any_form}};
}

}  // namespace tc::lanes
