// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <tc/isa/element_type.hpp>
#include <tc/lanes/float_arithmetic.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>
#include <tc/numerics/special_functions.hpp>

namespace tc::lanes {

namespace {

using unit_function = std::uint32_t (*)(std::uint32_t);

unit_function function_of(isa::special_function function) {
  using isa::special_function;
  switch (function) {
    case special_function::reciprocal:
      return numerics::approximate_reciprocal;
    case special_function::reciprocal_64:
      return numerics::approximate_upper_reciprocal;
    case special_function::reciprocal_root:
      return numerics::approximate_reciprocal_root;
    case special_function::reciprocal_root_64:
      return numerics::approximate_upper_reciprocal_root;
    case special_function::root:
      return numerics::approximate_root;
    case special_function::sine:
      return numerics::approximate_sine;
    case special_function::cosine:
      return numerics::approximate_cosine;
    case special_function::power_of_two:
      return numerics::approximate_power_of_two;
    case special_function::logarithm:
      return numerics::approximate_logarithm;
    default:
      return numerics::approximate_hyperbolic_tangent;
  }
}

bool is_half(isa::element_type type) { return type == isa::element_type::f16 || type == isa::element_type::bf16; }

/// Of f16 or bf16, in the lower half or in the half that the operand names: the result of f32, truncated once more. Subnormal numbers are
/// numbers; what is too large for f16 is infinity (all operands recorded on an H200).
void approximate_halves(const lane_operands& in, unit_function function, lane_result& out) {
  constexpr std::uint32_t f32_infinity = 0x7f800000, f16_overflow = 0x47800000, f16_sign = 0x8000, f16_infinity = 0x7c00;
  const numerics::number_format& format = isa::format_of(in.mods().first_format);
  isa::modifiers toward_zero;
  toward_zero.rounding = isa::float_rounding::toward_zero;
  const float_arithmetic to_word(toward_zero, numerics::f32), to_half(toward_zero, format);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const auto operand = static_cast<std::uint32_t>(to_word.round(to_word.operand(in.number(0, lane, format), format)));
    const std::uint32_t value = function(operand), magnitude = value & numerics::f32.magnitude_mask();
    if (format == numerics::f16 && f16_overflow <= magnitude && magnitude <= f32_infinity) return (value >> 16U & f16_sign) | f16_infinity;
    return static_cast<std::uint32_t>(to_half.round(to_half.operand(value, numerics::f32)));
  });
}

void approximate(const lane_operands& in, lane_result& out) {
  const unit_function function = function_of(in.mods().function);
  if (is_half(in.mods().first_format)) return approximate_halves(in, function, out);
  set_lanes(out.registers[0], [&](unsigned lane) { return function(static_cast<std::uint32_t>(in.number(0, lane, numerics::f32))); });
}

/// MUFU of f32, f16 and bf16, and of upper halves of f64.
bool approximated_form(const isa::instruction& code) {
  using isa::special_function;
  const special_function function = code.mods.function;
  if (function == special_function::none) return false;
  if (is_half(code.mods.first_format))
    return function != special_function::reciprocal_64 && function != special_function::reciprocal_root_64;
  return code.mods.first_format == isa::element_type::none || code.mods.first_format == isa::element_type::f32;
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
