// SPDX-License-Identifier: Apache-2.0
#include "scaled_dot_product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/numerics/accumulator.hpp>
#include <tc/numerics/datapath_rules.hpp>
#include <tc/numerics/term_aligner.hpp>

namespace tc::numerics {

namespace {

/// Bits of the largest number of a format in units of its smallest one.
unsigned fixed_point_bits(const number_format& format) {
  const unpacked_number largest = unpack(format.largest_number() << format.ignored_bits, format);
  return format.significand_bits() + static_cast<unsigned>(largest.exponent - format.minimum_exponent());
}

/// Bits that count to `n`.
unsigned bits_of_count(unsigned n) { return static_cast<unsigned>(std::ceil(std::log2(n + 1))); }

}  // namespace

scaled_dot_product::scaled_dot_product(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(types.a),
      b_(types.b),
      accumulator_(types.accumulator),
      scaling_(types.scaling),
      parameters_(parameters),
      fixed_point_(parameters.products_per_term > 1),
      term_fraction_bits_(a_.fraction_bits + b_.fraction_bits) {
  check_product_width(types, 32);
  unsigned term_bits = a_.significand_bits() + b_.significand_bits();
  if (fixed_point_) {
    term_fraction_bits_ -= static_cast<unsigned>(a_.minimum_exponent() + b_.minimum_exponent());
    term_bits = fixed_point_bits(a_) + fixed_point_bits(b_) + bits_of_count(parameters.products_per_term);
  }
  if (scaling_) {
    require(scaling_->block_length % parameters.products_per_term == 0,
            fmt::format("a block of {} elements does not hold whole terms of {} products", scaling_->block_length,
                        parameters.products_per_term));
    term_fraction_bits_ += 2 * scaling_->format.fraction_bits;
    term_bits += 2 * scaling_->format.significand_bits();
  }
  const unsigned aligned_bits =
      term_bits + parameters.alignment_fraction_bits - std::min(term_fraction_bits_, parameters.alignment_fraction_bits);
  const unsigned sum_bits = aligned_bits + bits_of_count(parameters.group_length / parameters.products_per_term);
  require(sum_bits <= 62,
          fmt::format("sums of {} and {} with {} products a term and {} alignment fraction bits have {} bits, the adders 62", a_.name,
                      b_.name, parameters.products_per_term, parameters.alignment_fraction_bits, sum_bits));
}

std::uint64_t scaled_dot_product::operator()(const std::uint32_t* a, const std::uint32_t* b, const std::uint32_t* scale_a,
                                             const std::uint32_t* scale_b, unsigned k, std::uint64_t c) const {
  if (scaling_ && (scale_a == nullptr || scale_b == nullptr)) throw std::logic_error("dot product: the block scales are missing");
  for (unsigned first = 0; first < k; first += parameters_.group_length)
    c = add_group({a, b, scale_a, scale_b}, first, std::min(parameters_.group_length, k - first), c);
  return c;
}

std::uint64_t scaled_dot_product::add_group(const operands& rows, unsigned first, unsigned count, std::uint64_t c) const {
  const int zero_penalty = parameters_.align_to_zeros ? 0 : out_of_alignment;
  const unpacked_number addend = unpack_addend(c, accumulator_, parameters_);
  special_terms specials;
  specials.add(addend.category, addend.negative);

  std::array<term, maximum_group_length> terms;
  const int addend_exponent = addend.exponent + (addend.significand == 0 ? zero_penalty : 0);
  int largest = std::max(addend_exponent, smallest_alignment(accumulator_, parameters_));
  unsigned n = 0;
  for (unsigned i = 0; i < count; i += parameters_.products_per_term) {
    term& t = terms[n++];
    t = sum_of_products(rows, first + i, std::min(parameters_.products_per_term, count - i), specials);
    if (scaling_) scale(t, rows, first + i, specials);
    if (t.significand == 0) t.exponent += zero_penalty;
    largest = std::max(largest, t.exponent);
  }
  if (specials.any()) return specials.sum(accumulator_);

  const unsigned fraction_bits = parameters_.alignment_fraction_bits;
  const term_aligner align_term(term_fraction_bits_, fraction_bits), align_addend(accumulator_.fraction_bits, fraction_bits);
  std::int64_t sum = align_addend(addend.significand, addend.negative ? 1 : 0, largest - addend_exponent);
  std::for_each_n(terms.begin(), n, [&](const term& t) { sum += align_term(t.significand, t.negative ? 1 : 0, largest - t.exponent); });
  return round_sum({sum, largest - static_cast<int>(fraction_bits)}, accumulator_, parameters_);
}

scaled_dot_product::term scaled_dot_product::sum_of_products(const operands& rows, unsigned first, unsigned count,
                                                             special_terms& specials) const {
  std::int64_t sum = 0;
  int exponent = 0;
  for (unsigned i = first; i < first + count; ++i) {
    const unpacked_number x = unpack(packed_element(rows.a, i, a_), a_), y = unpack(packed_element(rows.b, i, b_), b_);
    specials.add(product_category(x.category, y.category), x.negative != y.negative);
    auto product = static_cast<std::int64_t>(x.significand * y.significand);
    exponent = x.exponent + y.exponent;
    if (fixed_point_) product <<= exponent - a_.minimum_exponent() - b_.minimum_exponent();
    sum += x.negative != y.negative ? -product : product;
  }
  return {sum < 0, static_cast<std::uint64_t>(std::abs(sum)), fixed_point_ ? 0 : exponent};
}

void scaled_dot_product::scale(term& t, const operands& rows, unsigned first, special_terms& specials) const {
  const number_format& format = scaling_->format;
  for (const std::uint32_t* scales : {rows.scale_a, rows.scale_b}) {
    const unpacked_number scale = unpack(packed_element(scales, first / scaling_->block_length, format), format);
    if (scale.category == number_class::nan) specials.add(scale);
    t.significand *= scale.significand;
    t.exponent += scale.exponent;
  }
}

}  // namespace tc::numerics
