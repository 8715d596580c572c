// SPDX-License-Identifier: Apache-2.0
#include "inputs.hpp"

#include <cmath>

namespace tc::record {

namespace {

/// FNV-1a, so that each variant has numbers of its own whatever else is recorded.
std::uint64_t hash(const char* text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (; *text; ++text) value = (value ^ static_cast<unsigned char>(*text)) * 0x100000001b3;
  return value;
}

bool is_floating(const variant& v) { return format_of(v.a).is_floating(); }

/// The sum of products of one element of D, rounded at every step; fused, so that every host compiler finds the same.
double sum_of_products(const variant& v, const operand_matrices& matrices, unsigned row, unsigned column) {
  const number_format a = format_of(v.a), b = format_of(v.b);
  double sum = 0;
  for (unsigned i = 0; i < v.k; ++i) sum = std::fma(value_of(a, matrices.a[row * v.k + i]), value_of(b, matrices.b[i * v.n + column]), sum);
  return sum;
}

}  // namespace

input_maker::input_maker(const variant& instruction, std::uint64_t seed)
    : instruction_(instruction), random_(hash(instruction.name) ^ seed) {}

std::vector<operand_matrices> input_maker::next() {
  const unsigned operand_kinds = is_floating(instruction_) ? floating_operand_kinds : integer_operand_kinds;
  const unsigned accumulator_kinds = is_floating(instruction_) ? floating_accumulator_kinds : integer_accumulator_kinds;
  const auto operands = static_cast<operand_kind>(case_ % operand_kinds);
  const auto accumulators = static_cast<accumulator_kind>(case_ / operand_kinds % accumulator_kinds);
  ++case_;
  std::vector<operand_matrices> instances;
  for (unsigned i = 0; i < instruction_.instances; ++i) instances.push_back(make(operands, accumulators));
  return instances;
}

operand_matrices input_maker::make(operand_kind operands, accumulator_kind accumulators) {
  const variant& v = instruction_;
  operand_matrices matrices{std::vector<std::uint64_t>(v.m * v.k), std::vector<std::uint64_t>(v.k * v.n),
                            std::vector<std::uint64_t>(v.m * v.n)};
  if (is_floating(v)) {
    make_floats(matrices, operands);
    make_float_accumulators(matrices, accumulators);
  } else {
    make_integers(matrices, operands);
    make_integer_accumulators(matrices, accumulators);
  }
  return matrices;
}

void input_maker::make_integers(operand_matrices& matrices, operand_kind kind) {
  for (auto& a : matrices.a) a = integer(instruction_.a, kind);
  for (auto& b : matrices.b) b = integer(instruction_.b, kind);
}

std::uint64_t input_maker::integer(element type, operand_kind kind) {
  const number_format format = format_of(type);
  const bool is_bit = format.bits == 1;
  switch (kind) {
    case operand_kind::extreme:
      if (format.is_signed) return coin() ? format.sign_bit() : format.sign_bit() - 1;
      return is_bit || coin() ? format.mask() : 0;
    case operand_kind::moderate:
      if (is_bit) return below(8) == 0;
      return static_cast<std::uint64_t>(format.is_signed ? between(-2, 2) : between(0, 4)) & format.mask();
    case operand_kind::zero_and_large:
      return coin() ? 0 : bits(type);
    default:
      return bits(type);
  }
}

void input_maker::make_integer_accumulators(operand_matrices& matrices, accumulator_kind kind) {
  const std::uint64_t limit = 0x7fffffff;
  for (auto& c : matrices.c) {
    switch (kind) {
      case accumulator_kind::zero:
        c = 0;
        break;
      case accumulator_kind::moderate:
        c = static_cast<std::uint64_t>(between(-1024, 1023)) & 0xffffffff;
        break;
      case accumulator_kind::near_positive_limit:
        c = limit - below(4096);
        break;
      case accumulator_kind::near_negative_limit:
        c = limit + 1 + below(4096);
        break;
      default:
        c = bits(element::s32);
    }
  }
}

void input_maker::make_floats(operand_matrices& matrices, operand_kind kind) {
  if (kind == operand_kind::zero_and_large) return make_zeros_and_large(matrices);
  if (kind == operand_kind::ladder) return make_ladder(matrices);
  operand_kind of_a = kind, of_b = kind;
  if (kind == operand_kind::subnormal) {
    const std::uint64_t which = below(3);
    if (which == 0) of_a = operand_kind::moderate;
    if (which == 1) of_b = operand_kind::moderate;
  }
  for (auto& a : matrices.a) a = float_operand(instruction_.a, of_a);
  for (auto& b : matrices.b) b = float_operand(instruction_.b, of_b);
}

std::uint64_t input_maker::float_operand(element type, operand_kind kind) {
  const number_format format = format_of(type);
  switch (kind) {
    case operand_kind::moderate:
      return number(type, -2, 2);
    case operand_kind::extreme: {
      const int half_of_limit = format_of(instruction_.d).highest_exponent() / 2;
      return number(type, half_of_limit - 2, half_of_limit + 1);
    }
    case operand_kind::wide:
      return number(type, format.lowest_exponent(), format.highest_exponent());
    case operand_kind::subnormal:
      return number(type, format.lowest_exponent() - 1, format.lowest_exponent() - 1);
    case operand_kind::positive_or_negative_one:
      return finite_number(format, coin(), 0, 0);
    default:
      return bits(type);
  }
}

void input_maker::make_zeros_and_large(operand_matrices& matrices) {
  const variant& v = instruction_;
  const int highest_a = format_of(v.a).highest_exponent(), highest_b = format_of(v.b).highest_exponent();
  for (unsigned i = 0; i < v.k; ++i) {
    const std::uint64_t what = below(3);
    for (unsigned row = 0; row < v.m; ++row)
      matrices.a[row * v.k + i] = what == 0 ? zero(v.a) : what == 1 ? number(v.a, highest_a - 2, highest_a) : number(v.a, -6, -3);
    for (unsigned column = 0; column < v.n; ++column)
      matrices.b[i * v.n + column] = what == 1 ? zero(v.b) : what == 0 ? number(v.b, highest_b - 2, highest_b) : number(v.b, -6, -3);
  }
}

void input_maker::make_ladder(operand_matrices& matrices) {
  const variant& v = instruction_;
  const number_format format_a = format_of(v.a);
  const int step = between(1, 4), top = between(0, 16);
  for (unsigned i = 0; i < v.k; ++i) {
    const bool cancels_the_last = i % 2 == 1;
    const int exponent = top - static_cast<int>(i / 2) * step, half = exponent / 2;
    for (unsigned row = 0; row < v.m; ++row) {
      std::uint64_t& a = matrices.a[row * v.k + i];
      a = cancels_the_last ? matrices.a[row * v.k + i - 1] ^ format_a.sign_bit() : number(v.a, half, half);
    }
    for (unsigned column = 0; column < v.n; ++column) {
      std::uint64_t& b = matrices.b[i * v.n + column];
      b = cancels_the_last ? matrices.b[(i - 1) * v.n + column] ^ below(2) : number(v.b, exponent - half, exponent - half);
    }
  }
}

void input_maker::make_float_accumulators(operand_matrices& matrices, accumulator_kind kind) {
  const variant& v = instruction_;
  for (unsigned row = 0; row < v.m; ++row)
    for (unsigned column = 0; column < v.n; ++column)
      matrices.c[row * v.n + column] = float_accumulator(kind, sum_of_products(v, matrices, row, column));
}

std::uint64_t input_maker::float_accumulator(accumulator_kind kind, double sum_of_products) {
  const element type = instruction_.c;
  const number_format format = format_of(type);
  const int highest = format.highest_exponent(), below_normal = format.lowest_exponent() - 1;
  const bool has_magnitude = std::isfinite(sum_of_products) && sum_of_products != 0;
  switch (kind) {
    case accumulator_kind::zero:
      return zero(type);
    case accumulator_kind::moderate:
      return number(type, -2, 2);
    case accumulator_kind::near_positive_limit:
      return number(type, highest - 1, highest) & ~format.sign_bit();
    case accumulator_kind::near_negative_limit:
      return number(type, highest - 1, highest) | format.sign_bit();
    case accumulator_kind::cancelling:
      return has_magnitude ? truncated(format, -sum_of_products) ^ below(4) : zero(type);
    case accumulator_kind::far_from_products: {
      const int distance = coin() ? between(18, 32) : -between(18, 32);
      const int exponent = has_magnitude ? std::ilogb(sum_of_products) + distance : distance;
      return number(type, exponent, exponent);
    }
    case accumulator_kind::subnormal:
      return number(type, below_normal, below_normal);
    case accumulator_kind::any_bits:
      break;
  }
  return bits(type);
}

std::uint64_t input_maker::bits(element type) {
  const number_format format = format_of(type);
  const bool is_special = format.is_floating() && below(32) == 0;
  return is_special ? special(format) : random_() & format.mask();
}

std::uint64_t input_maker::special(const number_format& format) {
  const std::uint64_t sign = coin() ? format.sign_bit() : 0;
  const std::uint64_t highest_field = ~format.sign_bit() & ~format.fraction_mask() & format.mask();
  switch (below(3)) {
    case 0:
      return sign;
    case 1:
      return sign | highest_field;
    default:
      return sign | highest_field | format.fraction_mask();
  }
}

std::uint64_t input_maker::number(element type, int lowest_exponent, int highest_exponent) {
  const bool is_negative = coin();
  const int exponent = between(lowest_exponent, highest_exponent);
  return finite_number(format_of(type), is_negative, exponent, random_());
}

std::uint64_t input_maker::zero(element type) { return coin() ? format_of(type).sign_bit() : 0; }

}  // namespace tc::record
