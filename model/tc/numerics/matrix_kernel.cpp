// SPDX-License-Identifier: Apache-2.0
#include "matrix_kernel.hpp"

#include <tc/numerics/fused_plan.hpp>
#include <tc/numerics/kernel_sets.hpp>

namespace tc::numerics {

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
