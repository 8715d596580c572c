// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <cstring>

#include <tc/isa/element_type.hpp>
#include <tc/lanes/float_arithmetic.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/lane_rows.hpp>

namespace tc::lanes {

// Floating-point arithmetic in every lane: one rounding per result (IEEE 754).

namespace {

using numerics::exact_number;
using numerics::number_format;

/// The operands of one lane, of which packed ones give their elements in `half`.
struct lane_numbers {
  const lane_operands& in;
  const float_arithmetic& arithmetic;
  const number_format& format;
  unsigned lane, half;

  exact_number operator[](unsigned s) const { return arithmetic.operand(in.number(s, lane, format, half), format); }
};

std::uint64_t add(const lane_numbers& numbers) { return numbers.arithmetic.sum(numbers[0], numbers[1]); }

std::uint64_t multiply(const lane_numbers& numbers) { return numbers.arithmetic.round(numbers.arithmetic.product(numbers[0], numbers[1])); }

std::uint64_t multiply_add(const lane_numbers& numbers) {
  return numbers.arithmetic.sum(numbers.arithmetic.product(numbers[0], numbers[1]), numbers[2]);
}

using operation = std::uint64_t (*)(const lane_numbers&);

void compute_words(const lane_operands& in, lane_result& out, operation compute) {
  const float_arithmetic arithmetic(in.mods(), numerics::f32);
  set_lanes(out.registers[0], [&](unsigned lane) { return static_cast<std::uint32_t>(compute({in, arithmetic, numerics::f32, lane, 0})); });
}

/// With .F32 the result is one f32 of the f16 in the halves that the operands name.
void compute_halves(const lane_operands& in, lane_result& out, operation compute) {
  const isa::element_type named = in.mods().first_format;
  const bool to_f32 = named == isa::element_type::f32;
  const number_format& elements = named == isa::element_type::bf16 ? numerics::bf16 : numerics::f16;
  const float_arithmetic arithmetic(in.mods(), to_f32 ? numerics::f32 : elements);
  set_lanes(out.registers[0], [&](unsigned lane) {
    const auto low = static_cast<std::uint32_t>(compute({in, arithmetic, elements, lane, 0}));
    if (to_f32) return low;
    return static_cast<std::uint32_t>(compute({in, arithmetic, elements, lane, 1})) << 16U | low;
  });
}

using float_lanes = std::array<float, warp::lanes_per_warp>;

/// Rounded to nearest and not clamped, a result is that of the host's f32 arithmetic, which takes a hundredth of the time.
bool is_host_arithmetic(const isa::modifiers& mods) {
  return mods.rounding == isa::float_rounding::nearest_even && !mods.saturate && !mods.zero_product;
}

/// With .FTZ the zero of its sign in place of a subnormal number.
std::uint32_t without_subnormal(std::uint32_t bits, bool flush) {
  constexpr std::uint32_t exponent = 0x7f800000, sign = 0x80000000;
  return flush && (bits & exponent) == 0 ? bits & sign : bits;
}

float_lanes host_operand(const lane_operands& in, unsigned s) {
  constexpr std::uint32_t sign = 0x80000000;
  const isa::operand& operand = in.code().sources[s];
  const std::uint32_t kept = operand.absolute ? ~sign : ~std::uint32_t{0}, flipped = operand.negated ? sign : 0;
  const bool flush = in.mods().flush;
  warp::lane_vector bits = in.raw(s);
  for (std::uint32_t& lane : bits) lane = without_subnormal((lane & kept) ^ flipped, flush);
  float_lanes values;
  std::memcpy(values.data(), bits.data(), sizeof values);
  return values;
}

void deliver(const float_lanes& values, const isa::modifiers& mods, lane_result& out) {
  constexpr std::uint32_t magnitude = 0x7fffffff, infinity = 0x7f800000, canonical_nan = 0x7fffffff;
  warp::lane_vector& bits = out.registers[0];
  std::memcpy(bits.data(), values.data(), sizeof values);
  const bool flush = mods.flush;
  for (std::uint32_t& lane : bits) lane = (lane & magnitude) > infinity ? canonical_nan : without_subnormal(lane, flush);
}

void float_add(const lane_operands& in, lane_result& out) {
  if (!is_host_arithmetic(in.mods())) return compute_words(in, out, add);
  float_lanes a = host_operand(in, 0);
  const float_lanes b = host_operand(in, 1);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) a[lane] += b[lane];
  deliver(a, in.mods(), out);
}

void float_multiply(const lane_operands& in, lane_result& out) {
  if (!is_host_arithmetic(in.mods())) return compute_words(in, out, multiply);
  float_lanes a = host_operand(in, 0);
  const float_lanes b = host_operand(in, 1);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) a[lane] *= b[lane];
  deliver(a, in.mods(), out);
}

void float_multiply_add(const lane_operands& in, lane_result& out) {
  if (!is_host_arithmetic(in.mods())) return compute_words(in, out, multiply_add);
  float_lanes a = host_operand(in, 0);
  const float_lanes b = host_operand(in, 1), c = host_operand(in, 2);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) a[lane] = std::fma(a[lane], b[lane], c[lane]);
  deliver(a, in.mods(), out);
}

/// HADD2: two of 16 bits, or with .F32 the low ones as an f32.
void packed_add(const lane_operands& in, lane_result& out) { compute_halves(in, out, add); }
void packed_multiply(const lane_operands& in, lane_result& out) { compute_halves(in, out, multiply); }
void packed_multiply_add(const lane_operands& in, lane_result& out) { compute_halves(in, out, multiply_add); }

}  // namespace

std::vector<lane_row> float_lane_operations() {
  using isa::opcode;
  return {
      {opcode::fadd, float_add, any_form},   {opcode::fmul, float_multiply, any_form},   {opcode::ffma, float_multiply_add, any_form},
      {opcode::hadd2, packed_add, any_form}, {opcode::hmul2, packed_multiply, any_form}, {opcode::hfma2, packed_multiply_add, any_form},
  };
}

}  // namespace tc::lanes
