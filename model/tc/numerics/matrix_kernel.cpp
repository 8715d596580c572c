// SPDX-License-Identifier: Apache-2.0
#include "matrix_kernel.hpp"

#include <algorithm>
#include <limits>
#include <optional>

#include <tc/numerics/accumulator.hpp>
#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/kernel_sets.hpp>
#include <tc/numerics/simd/kernels.hpp>

namespace tc::numerics {

namespace {

/// The plan by which the vector kernels do a unit's sums of floating-point numbers; none if they cannot.
std::optional<simd::fused_plan> make_fused_plan(const dot_product_types& types, const dot_product_parameters& parameters);

/// Fields of binary32, where the kernels bring significands.
constexpr unsigned binary32_exponent_bits = 8, binary32_fraction_bits = 23;
/// A sum in one lane: what a conversion to binary32 rounds up must still fit 32 bits.
constexpr std::uint64_t largest_sum = (std::uint64_t{1} << 31) - 64;
/// Rounding to nearest takes two bits of binary32 below the last bit kept.
constexpr unsigned nearest_fraction_bits = binary32_fraction_bits - 2;
/// With more, a product may not fit 32 bits.
constexpr unsigned largest_alignment = 29;

bool fits(const number_format& format) {
  return format.is_floating_point() && format.has_sign && format.has_zero && format.storage_bits >= 4 && format.storage_bits <= 32 &&
         format.exponent_bits <= binary32_exponent_bits && format.fraction_bits <= binary32_fraction_bits;
}

bool has_vector_form(const dot_product_types& t, const dot_product_parameters& p) {
  if (p.order != summation::fused || p.products_per_term != 1 || p.addend != addend_position::in_first_group) return false;
  if (t.scaling || p.multiply_as_f16) return false;
  if (!fits(t.a) || !fits(t.b) || !fits(t.accumulator) || t.a.storage_bits != t.b.storage_bits) return false;
  if (t.a.significand_bits() + t.b.significand_bits() > binary32_fraction_bits + 1) return false;
  if (p.group_length % t.a.elements_per_word() != 0 || p.alignment_fraction_bits > largest_alignment) return false;
  return p.output_rounding.mode == rounding_mode::toward_zero ||
         std::min(p.output_rounding.kept_fraction_bits, t.accumulator.fraction_bits) <= nearest_fraction_bits;
}

/// `smallest`: the smallest magnitude that is not taken for zero.
simd::element_fields fields_of(const number_format& format, std::uint64_t smallest, std::int32_t zero_exponent) {
  const bool is_pair = format.storage_bits <= 16;
  const unsigned field_bits = format.exponent_bits + format.fraction_bits, lane_bits = is_pair ? 16 : 32;
  const unsigned lowest = lane_bits - 1 - field_bits;  // of the fields, below a sign in the top bit
  // All formats that have no infinity and NaN have room for a bound above their magnitudes, or are too rare to matter: the
  // largest of theirs is then left to the unit.
  const std::uint64_t largest = (std::uint64_t{1} << (lane_bits - 1)) - 1, magnitudes = format.magnitude_mask() << lowest;
  simd::element_fields fields{};
  fields.storage_bits = format.storage_bits;
  fields.sign_position = format.ignored_bits + field_bits;
  fields.exponent_position = lane_bits - 1 - format.exponent_bits;
  fields.magnitude_mask = static_cast<std::int32_t>(magnitudes);
  fields.smallest = static_cast<std::int32_t>(smallest << lowest);
  fields.first_special = static_cast<std::int32_t>(std::min(format.first_special() << lowest, largest));
  fields.zero_exponent = zero_exponent;
  fields.factor_shift = binary32_exponent_bits - format.exponent_bits;
  fields.factor_mask = 0x80000000U | static_cast<std::uint32_t>(format.magnitude_mask() << (binary32_fraction_bits - format.fraction_bits));
  return fields;
}

/// The largest product in units of the alignment.
std::uint64_t largest_product(const dot_product_types& t, unsigned alignment_fraction_bits) {
  const auto largest = [](const number_format& f) { return (std::uint64_t{1} << f.significand_bits()) - 1; };
  const unsigned fraction_bits = t.a.fraction_bits + t.b.fraction_bits;
  return largest(t.a) * largest(t.b) << alignment_fraction_bits >> fraction_bits;
}

/// `products`: the largest sum of those of a group.
simd::sum_kind kind_of_sums(const dot_product_types& t, const dot_product_parameters& p, std::uint64_t products) {
  const std::uint64_t addend = std::uint64_t{2} << p.alignment_fraction_bits;
  const bool is_binary32 = t.accumulator.exponent_bits == binary32_exponent_bits && t.accumulator.fraction_bits == binary32_fraction_bits &&
                           p.output_rounding.mode == rounding_mode::toward_zero &&
                           p.output_rounding.kept_fraction_bits >= binary32_fraction_bits && !p.align_to_zeros;
  if (is_binary32 && products <= largest_sum && simd::largest_products + addend <= largest_sum) return simd::sum_kind::binary32;
  return products + addend > largest_sum ? simd::sum_kind::wide : simd::sum_kind::of_32_bits;
}

std::optional<simd::fused_plan> make_fused_plan(const dot_product_types& types, const dot_product_parameters& parameters) {
  if (!has_vector_form(types, parameters)) return std::nullopt;
  const number_format &a = types.a, &b = types.b, &c = types.accumulator;
  const unsigned elements_per_word = a.elements_per_word(), alignment = parameters.alignment_fraction_bits;
  const std::uint64_t product = std::max<std::uint64_t>(largest_product(types, alignment), 1);
  const std::uint64_t words_per_partial_sum = largest_sum / product / elements_per_word;
  if (words_per_partial_sum == 0) return std::nullopt;

  const bool align_to_zeros = parameters.align_to_zeros;  // then they have the exponent of subnormals
  const std::uint64_t smallest = parameters.flush_subnormals ? c.fraction_mask() + 1 : 1;
  simd::fused_plan plan{};
  plan.a = fields_of(a, 1, align_to_zeros ? 1 : simd::zero_operand_exponent);
  plan.b = fields_of(b, 1, align_to_zeros ? 1 : simd::zero_operand_exponent);
  // An addend takes a lane of 32 bits whatever its format.
  number_format addend = c;
  addend.storage_bits = 32;
  plan.addend = fields_of(addend, smallest, align_to_zeros ? 1 : simd::zero_addend_exponent);
  plan.addend_offset = a.bias + b.bias - c.bias;
  plan.group_words = parameters.group_length / elements_per_word;
  plan.alignment_fraction_bits = static_cast<std::int32_t>(alignment);
  plan.smallest_alignment = smallest_alignment(c, parameters) + a.bias + b.bias;
  plan.words_per_partial_sum = static_cast<unsigned>(std::min<std::uint64_t>(words_per_partial_sum, simd::maximum_words));

  plan.minimum_exponent = c.minimum_exponent() + a.bias + b.bias;
  plan.exponents = (1 << c.exponent_bits) - 2;
  plan.fraction_bits = c.fraction_bits;
  plan.kept_fraction_bits = std::min(parameters.output_rounding.kept_fraction_bits, c.fraction_bits);
  plan.infinity = static_cast<std::int32_t>(c.infinity());
  plan.smallest_result = static_cast<std::int32_t>(smallest);
  plan.sign_bit = static_cast<std::uint32_t>(c.sign_bit());
  plan.to_nearest_even = parameters.output_rounding.mode == rounding_mode::to_nearest_even;

  plan.pairs = a.storage_bits <= 16;
  plan.narrow = plan.pairs && std::max(a.exponent_bits, b.exponent_bits) <= simd::narrow_exponent_bits;
  plan.kind = kind_of_sums(types, parameters, product * parameters.group_length);
  return plan;
}

}  // namespace

std::optional<matrix_kernel> matrix_kernel::find(const dot_product_types& types, const dot_product_parameters& parameters,
                                                 instruction_set set) {
  const simd::kernel_set& kernels = kernels_of(set);
  switch (types.operation) {
    case dot_product_operation::float_sum:
      return fused(types, parameters, kernels);
    case dot_product_operation::integer_wrap:
    case dot_product_operation::integer_saturate:
      return integer(types, kernels);
    case dot_product_operation::binary_xor:
      return matrix_kernel(binary_call{kernels.binary, simd::bit_combination::exclusive_or}, 32, simd::maximum_words, true);
    case dot_product_operation::binary_and:
      return matrix_kernel(binary_call{kernels.binary, simd::bit_combination::conjunction}, 32, simd::maximum_words, true);
  }
  return std::nullopt;
}

std::optional<matrix_kernel> matrix_kernel::fused(const dot_product_types& types, const dot_product_parameters& parameters,
                                                  const simd::kernel_set& kernels) {
  const std::optional<simd::fused_plan> plan = make_fused_plan(types, parameters);
  if (!plan) return std::nullopt;
  const unsigned elements_per_word = types.a.elements_per_word(), words = simd::maximum_elements / elements_per_word;
  matrix_kernel kernel(fused_call{kernels.fused(*plan), *plan}, elements_per_word, words / plan->group_words * plan->group_words, true);
  for (unsigned rows = 0; rows < kernel.together_.size(); ++rows)
    kernel.together_[rows] = {kernels.fused_two(*plan, rows), kernels.fused_four(*plan, rows)};
  return kernel;
}

std::optional<matrix_kernel> matrix_kernel::integer(const dot_product_types& types, const simd::kernel_set& kernels) {
  if (types.a.storage_bits != types.b.storage_bits || types.a.storage_bits < 4) return std::nullopt;
  const auto is_signed = [](const number_format& format) { return format.kind == encoding::twos_complement; };
  const bool saturate = types.operation == dot_product_operation::integer_saturate;
  const simd::integer_plan plan{types.a.storage_bits, is_signed(types.a), is_signed(types.b), saturate};
  const unsigned elements_per_word = types.a.elements_per_word();
  return matrix_kernel(integer_call{kernels.integer, plan}, elements_per_word, simd::maximum_elements / elements_per_word, !saturate);
}

}  // namespace tc::numerics
