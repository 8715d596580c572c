// SPDX-License-Identifier: Apache-2.0
#include "make_dot_product.hpp"

#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

namespace tc::config {

namespace {

using numerics::dot_product_types;
using numerics::number_format;

/// Settings, and their key in the configuration.
struct keyed_arithmetic {
  std::string_view key;
  const dot_product_arithmetic& settings;
};

std::string operands_text(const dot_product_types& types) {
  const std::string scales = types.scaling ? fmt::format(" with scales in {}", types.scaling->format.name) : std::string();
  return types.a == types.b ? fmt::format("{}{}", types.a.name, scales) : fmt::format("{} by {}{}", types.a.name, types.b.name, scales);
}

/// Whether a format has at most 8 bits.
bool is_small(const number_format& format) { return format.is_floating_point() && format.storage_bits <= 8; }

keyed_arithmetic arithmetic_of(const dot_product_types& types, const arithmetic_parameters& arithmetic, operand_source source) {
  using numerics::e2m1;
  if (is_small(types.a) && is_small(types.b)) {
    if (types.scaling && types.a == e2m1 && types.b == e2m1) return {"mxf4", arithmetic.mxf4};
    if (types.scaling) return {"mxf8f6f4", arithmetic.mxf8f6f4};
    if (source == operand_source::registers && arithmetic.f8_by_f16.is_there()) return {"f8_by_f16", arithmetic.f8_by_f16};
    return {"f8f6f4", arithmetic.f8f6f4};
  }
  if (types.a == types.b && !types.scaling) {
    if (types.a == numerics::f16) return {"f16", arithmetic.f16};
    if (types.a == numerics::bf16) return {"bf16", arithmetic.bf16};
    if (types.a == numerics::tf32) return {"tf32", arithmetic.tf32};
  }
  throw std::invalid_argument(fmt::format("no tensor core multiplies {}", operands_text(types)));
}

numerics::rounding_mode mode_of(rounding mode) {
  return mode == rounding::nearest_even ? numerics::rounding_mode::to_nearest_even : numerics::rounding_mode::toward_zero;
}

numerics::summation order_of(summation order) {
  switch (order) {
    case summation::paired_groups:
      return numerics::summation::paired_groups;
    case summation::fma_chain:
      return numerics::summation::fma_chain;
    case summation::adder_tree:
      return numerics::summation::adder_tree;
    case summation::fused:
      break;
  }
  return numerics::summation::fused;
}

numerics::dot_product_parameters parameters_of(const dot_product_arithmetic& settings, const number_format& accumulator) {
  numerics::dot_product_parameters parameters;
  parameters.order = order_of(settings.summation);
  parameters.group_length = settings.group_length;
  parameters.products_per_term = settings.products_per_term;
  parameters.alignment_fraction_bits = settings.alignment_fraction_bits;
  parameters.addend =
      settings.addend == addend_position::after_sum ? numerics::addend_position::after_sum : numerics::addend_position::in_first_group;
  if (accumulator == numerics::f16) {
    parameters.alignment_floor = settings.f16_alignment_floor;
    parameters.output_rounding = {mode_of(settings.f16_rounding), accumulator.fraction_bits};
  } else {
    parameters.alignment_floor = settings.f32_alignment_floor;
    parameters.output_rounding = {mode_of(settings.f32_rounding), settings.f32_kept_fraction_bits};
  }
  parameters.flush_subnormals = settings.flush_subnormals;
  parameters.align_to_zeros = settings.align_to_zeros;
  return parameters;
}

/// IEEE 754 fused multiply-adds in ascending k (recorded on an H200).
numerics::dot_product_parameters f64_chain() {
  numerics::dot_product_parameters parameters;
  parameters.order = numerics::summation::fma_chain;
  parameters.output_rounding = {numerics::rounding_mode::to_nearest_even, numerics::f64.fraction_bits};
  return parameters;
}

}  // namespace

numerics::dot_product make_dot_product(const dot_product_types& types, const arithmetic_parameters& arithmetic, operand_source source) {
  constexpr std::string_view section = "sm.sub_core.tensor_core.arithmetic";
  if (types.operation != numerics::dot_product_operation::float_sum) return numerics::dot_product(types);
  if (types.a == numerics::f64) {
    if (!arithmetic.f64) throw std::invalid_argument(fmt::format("the tensor cores do not multiply f64: {}.f64 is false", section));
    return numerics::dot_product(types, f64_chain());
  }
  const auto [key, settings] = arithmetic_of(types, arithmetic, source);
  if (!settings.is_there()) {
    throw std::invalid_argument(
        fmt::format("the tensor cores do not multiply {}: {}.{}.group_length is 0", operands_text(types), section, key));
  }
  numerics::dot_product_parameters parameters = parameters_of(settings, types.accumulator);
  parameters.multiply_as_f16 = &settings == &arithmetic.f8_by_f16;
  return numerics::dot_product(types, parameters);
}

}  // namespace tc::config
