// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <tc/isa/element_type.hpp>
#include <tc/lanes/float_arithmetic.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

// Conversions between number formats in every lane (PTX ISA, cvt). .FTZ is about f32 alone.

namespace {

using numerics::exact_number;
using numerics::number_class;
using numerics::number_format;

/// The format that a modifier names; f32 if it names none.
const number_format& named_format(isa::element_type type) {
  return isa::format_of(type == isa::element_type::none ? isa::element_type::f32 : type);
}

std::uint64_t mask_of(isa::integer_type type) { return ~std::uint64_t{0} >> (64 - bits_of(type)); }

/// The largest magnitude that an integer of the type may have below or above zero.
std::uint64_t largest_magnitude(isa::integer_type type, bool negative) {
  if (!isa::is_signed(type)) return negative ? 0 : mask_of(type);
  return (std::uint64_t{1} << (bits_of(type) - 1)) - (negative ? 0 : 1);
}

void set_result(lane_result& out, unsigned lane, std::uint64_t value) {
  out.registers[0][lane] = static_cast<std::uint32_t>(value);
  out.registers[1][lane] = static_cast<std::uint32_t>(value >> 32U);
}

/// The magnitude of a finite number rounded to an integer, at most 2^64 - 1.
std::uint64_t integer_magnitude(const exact_number& x, isa::float_rounding rounding) {
  if (x.category == number_class::zero) return 0;
  const int digits = 64 - __builtin_clzll(x.significand);
  if (x.exponent + digits > 64) return ~std::uint64_t{0};
  if (x.exponent >= 0) return x.significand << x.exponent;
  const int dropped = -x.exponent;
  if (dropped > 63) return rounds_away(rounding, x.negative, false, 1, 2) ? 1 : 0;
  const std::uint64_t quotient = x.significand >> dropped;
  const std::uint64_t remainder = x.significand - (quotient << dropped);
  return quotient + (rounds_away(rounding, x.negative, (quotient & 1U) != 0, remainder, std::uint64_t{1} << (dropped - 1)) ? 1 : 0);
}

/// NaN is 0 with .NTZ, else the pattern with the highest bit alone: what CUDA's conversions to 32 and to 64 bits document.
std::uint64_t to_integer(const exact_number& x, const isa::modifiers& mods) {
  const std::uint64_t highest_bit = std::uint64_t{1} << (bits_of(mods.type) - 1);
  if (x.category == number_class::nan) return mods.nan_to_zero ? 0 : highest_bit;
  const std::uint64_t limit = largest_magnitude(mods.type, x.negative);
  const std::uint64_t magnitude = x.category == number_class::infinity ? limit : std::min(integer_magnitude(x, mods.rounding), limit);
  return x.negative ? 0 - magnitude : magnitude;
}

/// The integer in the part of a register that the operand names, as a number.
exact_number integer_operand(const lane_operands& in, unsigned lane) {
  const isa::integer_type type = in.mods().type;
  const isa::register_part part = in.code().sources[0].part;
  std::uint64_t value = isa::is_64_bit(type) ? in.pair(0, lane) : in.word(0)[lane];
  if (part >= isa::register_part::byte_0) {
    value >>= 8 * (static_cast<unsigned>(part) - static_cast<unsigned>(isa::register_part::byte_0));
  } else if (part == isa::register_part::high_half) {
    value >>= 16U;
  }
  value &= mask_of(type);
  const bool negative = isa::is_signed(type) && (value >> (bits_of(type) - 1) & 1U) != 0;
  const std::uint64_t magnitude = negative ? (0 - value) & mask_of(type) : value;
  if (magnitude == 0) return {};
  // Three bits below the last place of any result make room; the lowest remembers whether they were zero.
  constexpr unsigned spare_bits = 3;
  const bool is_wide = magnitude >> 61U != 0;
  const std::uint64_t lost = is_wide && (magnitude & 7U) != 0 ? 1 : 0;
  return {number_class::normal, negative, is_wide ? magnitude >> spare_bits | lost : magnitude, is_wide ? int{spare_bits} : 0};
}

void convert_float(const lane_operands& in, lane_result& out) {
  const number_format& to = named_format(in.mods().first_format);
  const number_format& from = named_format(in.mods().second_format);
  const float_arithmetic arithmetic(in.mods(), to, numerics::f32);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    set_result(out, lane, arithmetic.round(arithmetic.operand(in.number(0, lane, from), from)));
}

/// F2FP.UNPACK_B: the two 8-bit numbers in the half that the operand names, or in the lower one, as f16, which has all of them.
void unpack_bytes(const lane_operands& in, lane_result& out) {
  const number_format& from = named_format(in.mods().second_format);
  const float_arithmetic arithmetic(in.mods(), numerics::f16);
  const unsigned first = in.code().sources[0].part == isa::register_part::high_half ? 2 : 0;
  const auto converted = [&](unsigned byte, unsigned lane) {
    return arithmetic.round(numerics::exact_value(in.raw(0)[lane] >> 8 * byte & 0xffU, from));
  };
  set_lanes(out.registers[0],
            [&](unsigned lane) { return static_cast<std::uint32_t>(converted(first + 1, lane) << 16U | converted(first, lane)); });
}

/// The lower half of C, which moves into the upper one where two small numbers are made (as compiled code that makes four shows).
std::uint32_t merged(const lane_operands& in, unsigned lane) {
  const unsigned c = in.code().source_count - 1U;
  return in.raw(c)[lane] << warp::half_bits;
}

/// F2FP.UNPACK_B_MERGE_C: two 8-bit numbers of the two f16 in B.
void narrow_halves(const lane_operands& in, lane_result& out) {
  const float_arithmetic arithmetic(in.mods(), named_format(in.mods().first_format));
  const auto converted = [&](unsigned half, unsigned lane) {
    return static_cast<std::uint32_t>(arithmetic.round(numerics::exact_value(in.number(0, lane, numerics::f16, half), numerics::f16)));
  };
  set_lanes(out.registers[0], [&](unsigned lane) { return merged(in, lane) | converted(1, lane) << 8U | converted(0, lane); });
}

/// F2FP.PACK_AB: A above B, each an f16, bf16 or one of 8 bits; MERGE_C and PACK_B: B alone.
void pack_floats(const lane_operands& in, lane_result& out) {
  using isa::conversion_packing;
  const conversion_packing packing = in.mods().packing;
  if (packing == conversion_packing::unpack_b) return unpack_bytes(in, out);
  if (packing == conversion_packing::unpack_b_merge_c) return narrow_halves(in, out);
  const bool names_nothing = in.mods().first_format == isa::element_type::none;
  const number_format& format = names_nothing ? numerics::f16 : named_format(in.mods().first_format);
  const float_arithmetic arithmetic(in.mods(), format, numerics::f32);
  const auto converted = [&](unsigned s, unsigned lane) {
    return static_cast<std::uint32_t>(arithmetic.round(arithmetic.operand(in.number(s, lane, numerics::f32), numerics::f32))
                                      << format.ignored_bits);
  };
  const bool takes_one = packing == conversion_packing::merge_c || packing == conversion_packing::pack_b;
  const bool merges = packing == conversion_packing::pack_ab_merge_c;
  set_lanes(out.registers[0], [&](unsigned lane) {
    if (takes_one) return converted(0, lane);
    return (merges ? merged(in, lane) : 0) | converted(0, lane) << format.storage_bits | converted(1, lane);
  });
}

/// F2IP: A above B, each as an integer of 8 bits, out of range the nearest one; what is in C moves up by both.
void pack_floats_as_ints(const lane_operands& in, lane_result& out) {
  isa::modifiers mods = in.mods();
  mods.type = mods.type == isa::integer_type::s8 ? isa::integer_type::s8 : isa::integer_type::u8;
  const float_arithmetic operands(mods, numerics::f32);
  const auto converted = [&](unsigned s, unsigned lane) {
    return static_cast<std::uint32_t>(to_integer(operands.operand(in.number(s, lane, numerics::f32), numerics::f32), mods)) & 0xffU;
  };
  set_lanes(out.registers[0], [&](unsigned lane) { return merged(in, lane) | converted(0, lane) << 8U | converted(1, lane); });
}

bool pack_ints_form(const isa::instruction& code) {
  const bool is_byte = code.mods.type == isa::integer_type::s8 || code.mods.type == isa::integer_type::u8;
  return is_byte && code.source_count == 3 && code.mods.first_format == isa::element_type::f32;
}

/// F2I: out of range gives the nearest number of the type.
void convert_float_to_int(const lane_operands& in, lane_result& out) {
  const number_format& from = named_format(in.mods().first_format);
  const float_arithmetic operands(in.mods(), numerics::f32);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    set_result(out, lane, to_integer(operands.operand(in.number(0, lane, from), from), in.mods()));
}

void convert_int_to_float(const lane_operands& in, lane_result& out) {
  const float_arithmetic arithmetic(in.mods(), named_format(in.mods().first_format));
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) set_result(out, lane, arithmetic.round(integer_operand(in, lane)));
}

}  // namespace

std::vector<lane_row> conversion_lane_operations() {
  using isa::opcode;
  return {
      {opcode::f2f, convert_float, conversion_form},        {opcode::f2fp, pack_floats, pack_form},
      {opcode::f2ip, pack_floats_as_ints, pack_ints_form},  {opcode::f2i, convert_float_to_int, integer_conversion_form},
      {opcode::i2f, convert_int_to_float, conversion_form}, {opcode::i2fp, convert_int_to_float, conversion_form},
  };
}

}  // namespace tc::lanes
