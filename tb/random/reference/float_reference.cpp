// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cfenv>
#include <cmath>
#include <cstring>

#include <tc/isa/element_type.hpp>
#include <tc/numerics/number_format.hpp>

#include "warp_state.hpp"

// Floating-point arithmetic as the machine that this runs on does it, in its rounding directions.

namespace tcsim::random_programs {

namespace isa = tc::isa;
namespace numerics = tc::numerics;

namespace {

using numerics::number_format;

/// Sets the rounding direction for as long as it lives.
class rounding_direction {
 public:
  explicit rounding_direction(int direction) : before_(std::fegetround()) { std::fesetround(direction); }
  ~rounding_direction() { std::fesetround(before_); }
  rounding_direction(const rounding_direction&) = delete;
  rounding_direction& operator=(const rounding_direction&) = delete;

 private:
  int before_;
};

int direction_of(isa::float_rounding rounding) {
  switch (rounding) {
    case isa::float_rounding::toward_zero:
      return FE_TOWARDZERO;
    case isa::float_rounding::downward:
      return FE_DOWNWARD;
    case isa::float_rounding::upward:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

/// A number rounded to a format. Every integer of 64 bits and every double is a long double of x86.
std::uint64_t rounded(long double x, const number_format& format, isa::float_rounding rounding) {
  const rounding_direction direction(direction_of(rounding));
  const std::uint64_t sign = std::signbit(x) ? format.sign_bit() : 0;
  if (std::isnan(x)) return format.canonical_nan();
  if (std::isinf(x)) return format.infinity() | sign;
  if (x == 0) return sign;
  const int fraction_bits = static_cast<int>(format.fraction_bits);
  const int exponent = std::max(std::ilogb(x), format.minimum_exponent());
  volatile long double scaled = std::ldexp(x, fraction_bits - exponent);  // volatile: rounded now and in this direction
  volatile long double whole = std::nearbyint(scaled);
  const long double result = std::ldexp(static_cast<long double>(whole), exponent - fraction_bits);
  const auto largest = static_cast<long double>(numerics::value_of(format.largest_number(), format));
  if (std::fabs(result) <= largest) return numerics::encode(static_cast<double>(std::fabs(result)), format) | sign;
  const bool stays = rounding == isa::float_rounding::toward_zero || (rounding == isa::float_rounding::downward && sign == 0) ||
                     (rounding == isa::float_rounding::upward && sign != 0);
  return (stays ? format.largest_number() : format.infinity()) | sign;
}

bool is_subnormal(std::uint64_t bits, const number_format& format) {
  return format.class_of(bits & format.magnitude_mask()) == numerics::number_class::subnormal;
}

const number_format& named(isa::element_type type) {
  return isa::format_of(type == isa::element_type::none ? isa::element_type::f32 : type);
}

/// The bits of a number among the operands, with its sign as the operand says.
std::uint64_t number_bits(const lane_view& lane, unsigned s, const number_format& format, unsigned half = 0) {
  const isa::operand& from = lane.source(s);
  std::uint64_t bits = lane.bits(s);
  if (format.storage_bits == 64) bits |= std::uint64_t{lane.bits(s, 1)} << 32U;
  if (format.storage_bits == 16) {
    if (from.part == isa::register_part::low_half) half = 0;
    if (from.part == isa::register_part::high_half) half = 1;
    bits = bits >> 16 * half & 0xffffU;
  }
  if (from.absolute) bits &= ~format.sign_bit();
  return from.negated ? bits ^ format.sign_bit() : bits;
}

/// An operand's value; .FTZ makes a zero of a subnormal number in `flushed`.
double number(const lane_view& lane, unsigned s, const number_format& format, const number_format& flushed, unsigned half = 0) {
  std::uint64_t bits = number_bits(lane, s, format, half);
  if (lane.mods().flush && format == flushed && is_subnormal(bits, format)) bits &= format.sign_bit();
  return numerics::value_of(bits, format);
}

/// .FTZ, .SAT and .RELU of a result.
std::uint64_t finished(const isa::modifiers& mods, std::uint64_t bits, const number_format& format, const number_format& flushed) {
  const bool is_nan = format.class_of(bits & format.magnitude_mask()) == numerics::number_class::nan;
  if (is_nan) return mods.saturate ? 0 : format.canonical_nan();
  if (mods.flush && format == flushed && is_subnormal(bits, format)) bits &= format.sign_bit();
  const double value = numerics::value_of(bits, format);
  if ((mods.saturate || mods.clamp_negative) && std::signbit(value)) return 0;
  return mods.saturate && value > 1 ? numerics::encode(1, format) : bits;
}

/// a * b + c with more digits than any result has: toward zero, and odd if it is not exact, so that a second rounding is as good as one.
double odd_multiply_add(double a, double b, double c) {
  const rounding_direction direction(FE_TOWARDZERO);
  std::feclearexcept(FE_ALL_EXCEPT);
  const volatile double x = a, y = b, z = c;
  volatile double sum = std::fma(x, y, z);
  double result = sum;
  if (std::fetestexcept(FE_INEXACT) == 0 || !std::isfinite(result)) return result;
  std::uint64_t bits = 0;
  std::memcpy(&bits, &result, sizeof bits);
  bits |= 1U;
  std::memcpy(&result, &bits, sizeof bits);
  return result;
}

/// a * b + c, a * b or a + b, rounded once to a format.
std::uint64_t fused(const lane_view& lane, bool has_product, bool has_sum, const number_format& operands, const number_format& result,
                    unsigned half) {
  const isa::modifiers& mods = lane.mods();
  const auto operand = [&](unsigned s) { return number(lane, s, operands, result, half); };
  const double a = operand(0), b = has_product ? operand(1) : 1;
  const bool is_zero = has_product && mods.zero_product && (a == 0 || b == 0);
  if (!has_sum) {
    const long double product = is_zero ? 0.0L : static_cast<long double>(a) * static_cast<long double>(b);
    return finished(mods, rounded(product, result, mods.rounding), result, result);
  }
  const double c = operand(has_product ? 2 : 1);
  double sum = is_zero ? odd_multiply_add(0, 1, c) : odd_multiply_add(a, b, c);
  if (sum == 0) {  // the sign of an exact zero depends on the direction
    const rounding_direction direction(direction_of(mods.rounding));
    const volatile double x = is_zero ? 0 : a * b, z = c;
    sum = x + z;
  }
  return finished(mods, rounded(sum, result, mods.rounding), result, result);
}

template <bool HasProduct, bool HasSum>
void words(lane_view& lane) {
  lane.give(static_cast<std::uint32_t>(fused(lane, HasProduct, HasSum, numerics::f32, numerics::f32, 0)));
}

template <bool HasProduct, bool HasSum>
void halves(lane_view& lane) {
  const isa::element_type type = lane.mods().first_format;
  const number_format& operands = type == isa::element_type::bf16 ? numerics::bf16 : numerics::f16;
  if (type == isa::element_type::f32)
    return lane.give(static_cast<std::uint32_t>(fused(lane, HasProduct, HasSum, operands, numerics::f32, 0)));
  const std::uint64_t low = fused(lane, HasProduct, HasSum, operands, operands, 0);
  const std::uint64_t high = fused(lane, HasProduct, HasSum, operands, operands, 1);
  lane.give(static_cast<std::uint32_t>(high << 16U | low));
}

void give_wide(lane_view& lane, std::uint64_t value, bool is_wide) {
  lane.give(static_cast<std::uint32_t>(value));
  if (is_wide) lane.give(static_cast<std::uint32_t>(value >> 32U), 1);
}

void float_to_float(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const number_format &to = named(mods.first_format), &from = named(mods.second_format);
  const double value = number(lane, 0, from, numerics::f32);
  give_wide(lane, finished(mods, rounded(value, to, mods.rounding), to, numerics::f32), to.storage_bits == 64);
}

void pack(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const number_format& to = mods.first_format == isa::element_type::bf16 ? numerics::bf16 : numerics::f16;
  const auto half = [&](unsigned s) {
    return static_cast<std::uint32_t>(
        finished(mods, rounded(number(lane, s, numerics::f32, numerics::f32), to, mods.rounding), to, numerics::f32));
  };
  const std::uint32_t high = half(0), low = half(1);
  lane.give(high << 16U | low);
}

void float_to_integer(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const unsigned bits = bits_of(mods.type);
  const number_format& from = named(mods.first_format);
  const long double x = number(lane, 0, from, numerics::f32);
  if (std::isnan(x)) return give_wide(lane, mods.nan_to_zero ? 0 : std::uint64_t{1} << (bits - 1), bits == 64);
  const rounding_direction direction(direction_of(mods.rounding));
  const volatile long double before = x;
  volatile long double whole = std::nearbyint(before);
  const bool is_signed = isa::is_signed(mods.type);
  const long double lowest = is_signed ? -std::ldexp(1.0L, static_cast<int>(bits) - 1) : 0.0L;
  const long double highest = std::ldexp(1.0L, static_cast<int>(bits) - (is_signed ? 1 : 0)) - 1;
  const long double value = std::min(std::max(static_cast<long double>(whole), lowest), highest);
  const auto magnitude = static_cast<std::uint64_t>(std::fabs(value));
  give_wide(lane, value < 0 ? 0 - magnitude : magnitude, bits == 64);
}

void integer_to_float(lane_view& lane) {
  const isa::modifiers& mods = lane.mods();
  const unsigned bits = bits_of(mods.type);
  const isa::register_part part = lane.source(0).part;
  std::uint64_t value = lane.bits(0) | (bits == 64 ? std::uint64_t{lane.bits(0, 1)} << 32U : 0);
  if (part >= isa::register_part::byte_0) value >>= 8 * (static_cast<unsigned>(part) - static_cast<unsigned>(isa::register_part::byte_0));
  if (part == isa::register_part::high_half) value >>= 16U;
  value <<= 64 - bits;
  const long double x = isa::is_signed(mods.type) ? static_cast<long double>(static_cast<std::int64_t>(value) >> (64 - bits))
                                                  : static_cast<long double>(value >> (64 - bits));
  const number_format& to = named(mods.first_format);
  give_wide(lane, finished(mods, rounded(x, to, mods.rounding), to, to), to.storage_bits == 64);
}

lane_function float_function_of(isa::opcode op) {
  using isa::opcode;
  switch (op) {
    case opcode::fadd:
      return words<false, true>;
    case opcode::fmul:
      return words<true, false>;
    case opcode::ffma:
      return words<true, true>;
    case opcode::hadd2:
      return halves<false, true>;
    case opcode::hmul2:
      return halves<true, false>;
    case opcode::hfma2:
      return halves<true, true>;
    case opcode::f2f:
      return float_to_float;
    case opcode::f2fp:
      return pack;
    case opcode::f2i:
      return float_to_integer;
    case opcode::i2f:
    case opcode::i2fp:
      return integer_to_float;
    default:
      return nullptr;
  }
}

}  // namespace

bool execute_float(const isa::instruction& code, std::uint32_t mask, warp_state& warp) {
  const lane_function function = float_function_of(code.op);
  if (function == nullptr) return false;
  compute_lanes(code, mask, warp, function);
  return true;
}

}  // namespace tcsim::random_programs
