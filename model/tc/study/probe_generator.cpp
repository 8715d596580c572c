// SPDX-License-Identifier: Apache-2.0
#include "probe_generator.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <tc/study/probe_row.hpp>

namespace tc::study {

namespace {

using numerics::number_class;
using numerics::number_format;

/// The number nearest to `value`; the largest one instead of infinity.
std::uint64_t nearest_finite(double value, const number_format& format) {
  const double limit = std::ldexp(1, largest_exponent(format));
  return numerics::encode(std::clamp(value, -limit, limit), format);
}

/// Storage bits that hold the sign of an element; 0 without one.
std::uint64_t sign_of(const number_format& format) { return format.has_sign ? std::uint64_t{format.sign_bit()} << format.ignored_bits : 0; }

/// Exponent of the largest product; that of 1 if all are zero.
int largest_exponent_in(const dot_inputs& dot, const numerics::dot_product_types& types) {
  double largest = 0;
  for (unsigned i = 0; i < dot.a.size(); ++i) largest = std::max(largest, std::fabs(product_value(dot, types, i)));
  return largest == 0 || !std::isfinite(largest) ? 0 : std::ilogb(largest);
}

}  // namespace

datapath_guess guess_from(const numerics::dot_product_parameters& parameters) {
  return {parameters.alignment_fraction_bits, parameters.output_rounding.kept_fraction_bits, parameters.products_per_term,
          parameters.alignment_floor, parameters.group_length};
}

dot_inputs dot_generator::finite(unsigned length, const datapath_guess& guess) {
  dot_inputs dot = zeros(length);
  draw_scales(dot);
  switch (below(8)) {
    case 0:
      draw_products(dot, static_cast<unsigned>(between(0, 2)));
      break;
    case 1:
      draw_products(dot, static_cast<unsigned>(between(2, 6)));
      cancel_some(dot);
      break;
    case 2:
      draw_products(dot, length);
      cancel_some(dot);
      break;
    case 3:
      put_equal_products(dot, guess);
      return dot;
    case 4:
      put_growing_sum(dot);
      break;
    case 5:
      put_tiny_products(dot, guess);
      if (!one_in(4)) return dot;
      break;
    default:
      put_swamped_products(dot, guess);
  }
  if (one_in(4)) put_zeros_beside_large(dot);
  draw_addend(dot, guess);
  return dot;
}

dot_inputs dot_generator::any_bits(unsigned length) {
  dot_inputs dot = zeros(length);
  const bool is_sparse = one_in(2);
  for (unsigned i = 0; i < length; ++i) {
    if (is_sparse && !one_in(8)) continue;
    dot.a[i] = random_() & types_.a.storage_mask();
    dot.b[i] = random_() & types_.b.storage_mask();
  }
  for (auto* const scales : {&dot.scale_a, &dot.scale_b})
    for (auto& scale : *scales) scale = random_() & types_.scaling->format.storage_mask();
  dot.c = random_() & types_.accumulator.storage_mask();
  return dot;
}

dot_inputs dot_generator::zeros(unsigned length) { return *row_writer(types_, length).inputs(); }

void dot_generator::draw_scales(dot_inputs& dot) {
  if (!types_.scaling || one_in(3)) return;
  const number_format& format = types_.scaling->format;
  const int centre = one_in(4) ? between(smallest_exponent(format), largest_exponent(format)) : 0;
  const int spread = one_in(3) ? 20 : between(0, 4);
  for (auto* const scales : {&dot.scale_a, &dot.scale_b})
    for (auto& scale : *scales) scale = element(format, {centre - spread, centre + spread});
}

dot_generator::window dot_generator::draw_window(const number_format& format) {
  const int smallest = smallest_exponent(format), largest = largest_exponent(format);
  if (one_in(4)) return {smallest, largest};
  const int low = between(smallest, largest);
  return {low, low + between(0, 4)};
}

std::uint64_t dot_generator::element(const number_format& format, const window& exponents) {
  const int exponent = std::clamp(between(exponents.low, exponents.high), smallest_exponent(format), largest_exponent(format));
  std::uint64_t bits = numerics::encode(std::ldexp(1, exponent), format);
  const std::uint64_t low_bits = std::uint64_t{format.fraction_mask()} << format.ignored_bits;
  const int style = below(3);
  const std::uint64_t fraction = style == 0 ? 0 : style == 1 ? low_bits : random_() & low_bits;
  if (numerics::is_finite(bits | fraction, format)) bits |= fraction;
  return one_in(2) ? bits | sign_of(format) : bits;
}

unsigned dot_generator::position(const dot_inputs& dot) {
  const int length = static_cast<int>(dot.a.size());
  return static_cast<unsigned>(one_in(2) ? below(std::min(length, 4)) : below(length));
}

void dot_generator::draw_products(dot_inputs& dot, unsigned count) {
  const window a = draw_window(types_.a), b = draw_window(types_.b);
  const bool is_full = count >= dot.a.size();
  for (unsigned i = 0; i < count; ++i) {
    const unsigned where = is_full ? i % static_cast<unsigned>(dot.a.size()) : position(dot);
    dot.a[where] = element(types_.a, a);
    dot.b[where] = element(types_.b, b);
  }
}

void dot_generator::cancel_some(dot_inputs& dot) {
  for (int pairs = between(0, 3); pairs > 0; --pairs) {
    const unsigned from = position(dot), to = position(dot);
    if (from == to) continue;
    dot.a[to] = dot.a[from] ^ sign_of(types_.a);
    dot.b[to] = dot.b[from];
  }
}

void dot_generator::put_zeros_beside_large(dot_inputs& dot) {
  for (int count = between(1, 3); count > 0; --count) {
    const unsigned where = position(dot);
    dot.a[where] = dot.b[where] = 0;
    const bool in_a = one_in(2);
    const number_format& format = in_a ? types_.a : types_.b;
    (in_a ? dot.a : dot.b)[where] = element(format, draw_window(format));
  }
}

bool dot_generator::put_power(dot_inputs& dot, unsigned where, int exponent, bool negative) {
  const int low = std::max(smallest_exponent(types_.a), exponent - largest_exponent(types_.b)),
            high = std::min(largest_exponent(types_.a), exponent - smallest_exponent(types_.b));
  if (low > high) return false;
  const int of_a = between(low, high);
  dot.a[where] = numerics::encode(std::ldexp(negative ? -1 : 1, of_a), types_.a);
  dot.b[where] = numerics::encode(std::ldexp(1, exponent - of_a), types_.b);
  return true;
}

/// Small equal products on an addend whose last kept or last aligned bit is about as large as they are.
void dot_generator::put_equal_products(dot_inputs& dot, const datapath_guess& guess) {
  const int exponent = between(smallest_product_exponent(types_), largest_product_exponent(types_));
  const int length = static_cast<int>(dot.a.size());
  const bool is_negative = one_in(2);
  if (one_in(3)) {
    for (unsigned i = 0; i < dot.a.size(); ++i) put_power(dot, i, exponent, is_negative);
  } else {
    for (int count = between(1, std::min(length, 12)); count > 0; --count)
      put_power(dot, position(dot), exponent + (one_in(8) ? 1 : 0), is_negative != one_in(10));
  }
  const unsigned width = one_in(2) ? guess.alignment_fraction_bits : guess.kept_fraction_bits;
  const int top = exponent + static_cast<int>(width) + between(-3, 3);
  const double power = std::ldexp(1, top);
  const double below_power = one_in(2) ? std::ldexp(between(1, 3), top - 1 - static_cast<int>(width) + between(-1, 1)) : 0;
  dot.c = nearest_finite((is_negative != one_in(4) ? -1 : 1) * (power - below_power), types_.accumulator);
}

/// Products of one sign whose sum grows until it has more bits than are kept, and a few of other sizes.
void dot_generator::put_growing_sum(dot_inputs& dot) {
  const window a{largest_exponent(types_.a) - between(0, 3), largest_exponent(types_.a)},
      b{largest_exponent(types_.b) - between(0, 3), largest_exponent(types_.b)};
  const unsigned length = static_cast<unsigned>(dot.a.size()),
                 part = one_in(2) ? length : static_cast<unsigned>(between(1, static_cast<int>(length)));
  for (unsigned i = 0; i < part; ++i) {
    dot.a[i] = element(types_.a, a) & ~sign_of(types_.a);
    dot.b[i] = element(types_.b, b) & ~sign_of(types_.b);
  }
  for (int count = between(0, 4); count > 0; --count)
    put_power(dot, position(dot), between(smallest_product_exponent(types_), largest_product_exponent(types_)), one_in(2));
  if (!one_in(3)) return;
  for (unsigned i = length / 2; i < length; ++i) dot.a[i] ^= sign_of(types_.a);  // and down again
}

/// A large product and its opposite, and small ones about as far below as the alignment reaches.
void dot_generator::put_swamped_products(dot_inputs& dot, const datapath_guess& guess) {
  const int smallest = smallest_product_exponent(types_), largest = largest_product_exponent(types_);
  const int large = one_in(2) ? largest - between(0, 3) : between(smallest, largest);
  const int reach = static_cast<int>(one_in(2) ? guess.alignment_fraction_bits : guess.kept_fraction_bits);
  for (int count = between(1, 4); count > 0; --count) put_power(dot, position(dot), large - reach + between(-2, 2), one_in(3));
  if (one_in(3)) put_power(dot, position(dot), between(smallest, large), one_in(2));
  put_power(dot, position(dot), large, false);
  put_power(dot, position(dot), large, true);
}

/// Products about as large as the smallest result, and smaller ones about where the floor of the alignment cuts them.
void dot_generator::put_tiny_products(dot_inputs& dot, const datapath_guess& guess) {
  const int normal = types_.accumulator.minimum_exponent(), kept = static_cast<int>(guess.kept_fraction_bits);
  const int large = normal - between(one_in(3) ? 0 : kept - 1, kept + 2);
  const int aligned_to = std::max(large, normal - static_cast<int>(guess.alignment_floor));
  const int small = aligned_to - static_cast<int>(guess.alignment_fraction_bits) + between(-2, 2);
  const unsigned length = static_cast<unsigned>(dot.a.size()),
                 step = types_.scaling && types_.scaling->block_length < guess.group_length ? types_.scaling->block_length : 1;
  const int places = static_cast<int>((length + step - 1) / step), count = std::min(between(1, 6), places);
  const int first = one_in(2) ? places - count : between(0, places - count);  // what later groups add may hide so small a sum
  row_writer row(types_, length);
  for (int i = 0; i < count; ++i) {
    const double power = std::ldexp(1, i == 0 || one_in(3) ? large : small);
    row.product(static_cast<unsigned>(first + i) * step, one_in(2) ? -power : power);
  }
  if (auto inputs = row.inputs())
    dot = *std::move(inputs);
  else
    draw_products(dot, length);
}

void dot_generator::draw_addend(dot_inputs& dot, const datapath_guess& guess) {
  const number_format& format = types_.accumulator;
  const auto bits = static_cast<int>(guess.alignment_fraction_bits);
  switch (below(6)) {
    case 0:
      break;
    case 1: {
      const int centre = largest_exponent_in(dot, types_);
      dot.c = element(format, {centre - bits - 3, centre + bits + 3});
      break;
    }
    case 2:
      dot.c = element(format, draw_window(format));
      break;
    case 3:
      dot.c = (random_() & (format.fraction_mask() >> below(static_cast<int>(format.fraction_bits)))) | (one_in(2) ? format.sign_bit() : 0);
      break;
    default:
      dot.c = cancelling_addend(dot);
  }
}

/// About minus the sum of the products, a few units of the last place beside it.
std::uint64_t dot_generator::cancelling_addend(const dot_inputs& dot) {
  double sum = 0;
  for (unsigned i = 0; i < dot.a.size(); ++i) sum += product_value(dot, types_, i);
  const std::uint64_t bits = nearest_finite(std::isfinite(sum) ? -sum : 0, types_.accumulator) + static_cast<std::uint64_t>(below(3));
  return numerics::is_finite(bits, types_.accumulator) ? bits : 0;
}

}  // namespace tc::study
