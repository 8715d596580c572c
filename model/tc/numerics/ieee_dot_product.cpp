// SPDX-License-Identifier: Apache-2.0
#include "ieee_dot_product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <tc/numerics/datapath_rules.hpp>

namespace tc::numerics {

fma_chain::fma_chain(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(types.a), b_(types.b), accumulator_(types.accumulator, parameters.output_rounding, parameters.flush_subnormals) {
  check_unscaled(types, parameters);
  check_product_width(types, 53);
}

std::uint64_t fma_chain::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  for (unsigned i = 0; i < k; ++i) {
    const exact_number product = product_of(exact_value(packed_element(a, i, a_), a_), exact_value(packed_element(b, i, b_), b_));
    c = accumulator_.add_to_element(product, c);
  }
  return c;
}

namespace {

constexpr std::uint64_t quiet_bit = std::uint64_t{1} << (f64.fraction_bits - 1);

bool is_nan(std::uint64_t bits) { return f64.class_of(bits & f64.magnitude_mask()) == number_class::nan; }

double number(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

/// a x b + c. NaNs are dealt with here: which one a host returns is the host's choice.
std::uint64_t fused_multiply_add(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  for (const std::uint64_t operand : {b, c, a})
    if (is_nan(operand)) return operand | quiet_bit;
  const double sum = std::fma(number(a), number(b), number(c));
  if (std::isnan(sum)) return f64.sign_bit() | f64.infinity() | quiet_bit;
  std::uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits;
}

}  // namespace

f64_fma_chain::f64_fma_chain(const dot_product_types& types, const dot_product_parameters& parameters) {
  require(types.a == f64 && types.b == f64,
          fmt::format("an f64 accumulator takes products of f64, not of {} and {}", types.a.name, types.b.name));
  check_unscaled(types, parameters);
  require(parameters.order == summation::fma_chain, "f64 is summed in a chain of fused multiply-adds");
  require(parameters.addend == addend_position::in_first_group, "a chain of f64 begins with the addend");
  require(parameters.output_rounding.mode == rounding_mode::to_nearest_even &&
              parameters.output_rounding.kept_fraction_bits >= f64.fraction_bits,
          "f64 results are rounded to nearest even and keep 52 fraction bits");
  require(!parameters.flush_subnormals, "f64 keeps subnormal numbers");
}

std::uint64_t f64_fma_chain::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  for (unsigned i = 0; i < k; ++i) c = fused_multiply_add(packed_element(a, i, f64), packed_element(b, i, f64), c);
  return c;
}

adder_tree::adder_tree(const dot_product_types& types, const dot_product_parameters& parameters)
    : a_(types.a),
      b_(types.b),
      group_length_(parameters.group_length),
      accumulator_(types.accumulator, parameters.output_rounding, parameters.flush_subnormals) {
  check_unscaled(types, parameters);
  check_product_width(types, 53);
}

std::uint64_t adder_tree::operator()(const std::uint32_t* a, const std::uint32_t* b, unsigned k, std::uint64_t c) const {
  for (unsigned first = 0; first < k; first += group_length_)
    c = accumulator_.add(c, group_sum(a, b, first, std::min(group_length_, k - first)));
  return c;
}

std::uint64_t adder_tree::group_sum(const std::uint32_t* a, const std::uint32_t* b, unsigned first, unsigned count) const {
  std::array<std::uint64_t, maximum_group_length> sums;
  for (unsigned i = 0; i < count; ++i) {
    const exact_number x = exact_value(packed_element(a, first + i, a_), a_), y = exact_value(packed_element(b, first + i, b_), b_);
    sums[i] = accumulator_.round(product_of(x, y));
  }
  for (; count > 1; count = (count + 1) / 2) {
    for (unsigned i = 0; i + 1 < count; i += 2) sums[i / 2] = accumulator_.add(sums[i], sums[i + 1]);
    if (count % 2 == 1) sums[count / 2] = sums[count - 1];
  }
  return sums[0];
}

}  // namespace tc::numerics
