// SPDX-License-Identifier: Apache-2.0
#include <cfenv>
#include <cmath>
#include <cstring>

#include <tc/isa/element_type.hpp>
#include <tc/lanes/float_arithmetic.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

// Arithmetic of f64 in every lane, and rounding to integral numbers: IEEE 754, by the host's own arithmetic.

namespace {

double double_of(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint64_t bits_of_double(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

int host_rounding(isa::float_rounding rounding) {
  switch (rounding) {
    case isa::float_rounding::toward_zero:
      return FE_TOWARDZERO;
    case isa::float_rounding::downward:
      return FE_DOWNWARD;
    case isa::float_rounding::upward:
      return FE_UPWARD;
    case isa::float_rounding::nearest_even:
      break;
  }
  return FE_TONEAREST;
}

/// The host's rounding direction for as long as this lives.
class host_rounding_scope {
 public:
  explicit host_rounding_scope(isa::float_rounding rounding) : before_(std::fegetround()) { std::fesetround(host_rounding(rounding)); }
  ~host_rounding_scope() { std::fesetround(before_); }
  host_rounding_scope(const host_rounding_scope&) = delete;
  host_rounding_scope& operator=(const host_rounding_scope&) = delete;

 private:
  int before_;
};

/// Sets a pair of registers, lane by lane. `compute` gets the operands of a lane. Everything is volatile that a compiler, which knows of
/// no rounding direction but the usual one, would compute beforehand.
template <class Compute>
void compute_doubles(const lane_operands& in, lane_result& out, Compute compute) {
  const host_rounding_scope rounding(in.mods().rounding);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const volatile double value = compute([&](unsigned s) { return double_of(in.number(s, lane, numerics::f64)); });
    const std::uint64_t bits = bits_of_double(value);
    out.registers[0][lane] = static_cast<std::uint32_t>(bits);
    out.registers[1][lane] = static_cast<std::uint32_t>(bits >> 32U);
  }
}

void add_doubles(const lane_operands& in, lane_result& out) {
  compute_doubles(in, out, [](const auto& operand) {
    const volatile double a = operand(0), b = operand(1);
    return a + b;
  });
}

void multiply_doubles(const lane_operands& in, lane_result& out) {
  compute_doubles(in, out, [](const auto& operand) {
    const volatile double a = operand(0), b = operand(1);
    return a * b;
  });
}

void multiply_add_doubles(const lane_operands& in, lane_result& out) {
  compute_doubles(in, out, [](const auto& operand) {
    const volatile double a = operand(0), b = operand(1), c = operand(2);
    return std::fma(a, b, c);
  });
}

/// FRND: the integral number next to an f64, f32 or f16. Numbers of fewer bits are f64 exactly, and so are their integral neighbours.
void round_to_integral(const lane_operands& in, lane_result& out) {
  const isa::element_type named = in.mods().first_format;
  const numerics::number_format& format = isa::format_of(named == isa::element_type::none ? isa::element_type::f32 : named);
  const float_arithmetic arithmetic(in.mods(), format, numerics::f32);
  isa::modifiers exactly;
  const float_arithmetic result(exactly, format);
  const host_rounding_scope rounding(in.mods().rounding);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const std::uint64_t bits = in.number(0, lane, format);
    std::uint64_t rounded = 0;
    if (format == numerics::f64) {
      rounded = bits_of_double(std::nearbyint(double_of(bits)));
    } else {
      const numerics::exact_number x = arithmetic.operand(bits, format);
      rounded = result.round(x);
      if (numerics::is_finite(x.category)) {
        const double value = std::ldexp(static_cast<double>(x.significand), x.exponent);
        const double integral = std::nearbyint(x.negative ? -value : value);
        const numerics::exact_number exact = numerics::exact_value(bits_of_double(integral), numerics::f64);
        rounded = exact.category == numerics::number_class::zero && x.negative ? format.sign_bit() : result.round(exact);
      }
    }
    out.registers[0][lane] = static_cast<std::uint32_t>(rounded);
    out.registers[1][lane] = static_cast<std::uint32_t>(rounded >> 32U);
  }
}

}  // namespace

std::vector<lane_row> double_lane_operations() {
  using isa::opcode;
  return {
      {opcode::dadd, add_doubles, any_form},
      {opcode::dmul, multiply_doubles, any_form},
      {opcode::dfma, multiply_add_doubles, any_form},
      {opcode::frnd, round_to_integral, conversion_form},
  };
}

}  // namespace tc::lanes
