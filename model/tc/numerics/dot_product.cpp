// SPDX-License-Identifier: Apache-2.0
#include "dot_product.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <tc/numerics/datapath_rules.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::numerics {

dot_product::dot_product(const dot_product_types& types, const dot_product_parameters& parameters)
    : types_(types),
      parameters_(types.operation == dot_product_operation::float_sum ? parameters : dot_product_parameters{}),
      datapath_(make_datapath(types, parameters)) {}

dot_product::datapath dot_product::make_datapath(const dot_product_types& types, const dot_product_parameters& parameters) {
  using op = dot_product_operation;
  if (types.operation == op::float_sum) return make_float_datapath(types, parameters);
  if (types.scaling) throw std::invalid_argument("dot product: only floating-point operations have block scales");
  if (types.accumulator != s32) {
    throw std::invalid_argument(
        fmt::format("dot product: integer and binary operations accumulate in s32, not in '{}'", types.accumulator.name));
  }
  switch (types.operation) {
    case op::integer_wrap:
      return integer_dot_product(types.a, types.b, integer_overflow::wrap);
    case op::integer_saturate:
      return integer_dot_product(types.a, types.b, integer_overflow::saturate);
    case op::binary_xor:
      return binary_dot_product(types.a, types.b, bit_operation::exclusive_or);
    case op::binary_and:
      return binary_dot_product(types.a, types.b, bit_operation::conjunction);
    default:
      throw std::invalid_argument("dot product: not an operation");
  }
}

dot_product::datapath dot_product::make_float_datapath(const dot_product_types& types, const dot_product_parameters& parameters) {
  check_float_types(types);
  check_parameters(parameters);
  if (types.accumulator == f64) return f64_fma_chain(types, parameters);
  switch (parameters.order) {
    case summation::fused:
      if (parameters.multiply_as_f16) return converting_dot_product(types, parameters);
      if (types.scaling || parameters.products_per_term > 1) return scaled_dot_product(types, parameters);
      return fused_dot_product(types, parameters);
    case summation::paired_groups:
      return paired_groups(types, parameters);
    case summation::fma_chain:
      return fma_chain(types, parameters);
    case summation::adder_tree:
      return adder_tree(types, parameters);
  }
  throw std::invalid_argument("dot product: not an order of summation");
}

std::uint64_t dot_product::add_to_sum(std::uint64_t sum, std::uint64_t c) const {
  const rounding_rule ieee{rounding_mode::to_nearest_even, types_.accumulator.fraction_bits};
  return rounded_arithmetic(types_.accumulator, ieee, parameters_.flush_subnormals).add(sum, c);
}

}  // namespace tc::numerics
