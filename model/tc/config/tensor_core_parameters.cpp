// SPDX-License-Identifier: Apache-2.0
#include "tensor_core_parameters.hpp"

#include <string>
#include <utility>

#include <tc/config/validation.hpp>
#include <tc/numerics/dot_product_parameters.hpp>

namespace tc::config {

namespace {

/// Products that a unit forms have to be summed.
void require_arithmetic(const tensor_core_parameters& parameters, const std::string& path) {
  const auto matching = [&](unsigned per_cycle, const dot_product_arithmetic& arithmetic, const std::string& format) {
    require(per_cycle == 0 || arithmetic.is_there(), member_path(member_path(path, "unit"), format + "_per_cycle"),
            "must be 0 if arithmetic." + format + ".group_length is 0, is " + std::to_string(per_cycle));
  };
  matching(parameters.unit.f16_per_cycle, parameters.arithmetic.f16, "f16");
  matching(parameters.unit.bf16_per_cycle, parameters.arithmetic.bf16, "bf16");
  matching(parameters.unit.tf32_per_cycle, parameters.arithmetic.tf32, "tf32");
  require(parameters.unit.f8_per_cycle == 0 || parameters.arithmetic.f8f6f4.is_there(), member_path(path, "unit.f8_per_cycle"),
          "must be 0 if arithmetic.f8f6f4.group_length is 0, is " + std::to_string(parameters.unit.f8_per_cycle));
  require(parameters.unit.f4_per_cycle == 0 || parameters.arithmetic.f8f6f4.is_there(), member_path(path, "unit.f4_per_cycle"),
          "must be 0 if arithmetic.f8f6f4.group_length is 0, is " + std::to_string(parameters.unit.f4_per_cycle));
  require(parameters.f64_units == 0 || parameters.arithmetic.f64, member_path(path, "f64_units"),
          "must be 0 if arithmetic.f64 is false, is " + std::to_string(parameters.f64_units));
}

}  // namespace

void validate(const dot_product_arithmetic& parameters, const std::string& path) {
  if (!parameters.is_there()) return;
  require_at_most(parameters.group_length, numerics::maximum_group_length, path, "group_length");
  require_positive(parameters.alignment_fraction_bits, path, "alignment_fraction_bits");
  require_at_most(parameters.alignment_fraction_bits, numerics::maximum_alignment_bits, path, "alignment_fraction_bits");
  require_at_most(parameters.f32_alignment_floor, numerics::maximum_alignment_floor, path, "f32_alignment_floor");
  require_at_most(parameters.f16_alignment_floor, numerics::maximum_alignment_floor, path, "f16_alignment_floor");
  require_at_most(parameters.f32_kept_fraction_bits, numerics::f32.fraction_bits, path, "f32_kept_fraction_bits");

  require_positive(parameters.products_per_term, path, "products_per_term");
  const bool is_fused = parameters.summation == summation::fused;
  require(is_fused || parameters.products_per_term == 1, member_path(path, "products_per_term"),
          "must be 1 unless summation is fused, is " + std::to_string(parameters.products_per_term));
  require(parameters.group_length % parameters.products_per_term == 0, member_path(path, "products_per_term"),
          "must divide group_length, " + std::to_string(parameters.group_length) + ", is " + std::to_string(parameters.products_per_term));
  require(is_fused || parameters.summation == summation::paired_groups || !parameters.align_to_zeros, member_path(path, "align_to_zeros"),
          "must be false if summation is fma_chain or adder_tree: they align nothing");
}

void validate(const arithmetic_parameters& parameters, const std::string& path) {
  const auto is_fused = [&](const dot_product_arithmetic& arithmetic, const char* key) {
    require(!arithmetic.is_there() || arithmetic.summation == summation::fused, member_path(member_path(path, key), "summation"),
            "must be fused");
  };
  is_fused(parameters.f8_by_f16, "f8_by_f16");
  is_fused(parameters.mxf8f6f4, "mxf8f6f4");
  is_fused(parameters.mxf4, "mxf4");

  // Exact sums of several products fit the adders for 4 and 6 bits only.
  const auto has_single_products = [&](const dot_product_arithmetic& arithmetic, const char* key) {
    require(!arithmetic.is_there() || arithmetic.products_per_term == 1, member_path(member_path(path, key), "products_per_term"),
            "must be 1, is " + std::to_string(arithmetic.products_per_term));
  };
  has_single_products(parameters.f16, "f16");
  has_single_products(parameters.bf16, "bf16");
  has_single_products(parameters.tf32, "tf32");
  has_single_products(parameters.f8_by_f16, "f8_by_f16");
}

void validate(const operand_bus_parameters& parameters, const std::string& path) {
  require_positive(parameters.a_registers_per_cycle, path, "a_registers_per_cycle");
  require_positive(parameters.b_registers_per_cycle, path, "b_registers_per_cycle");
  require_positive(parameters.c_registers_per_cycle, path, "c_registers_per_cycle");
}

void validate(const operand_buffer_parameters& parameters, const std::string& path) {
  require_positive(parameters.depth_tiles, path, "depth_tiles");
  require_at_most(parameters.depth_tiles, 64, path, "depth_tiles");
}

void validate(const b_buffer_parameters& parameters, const std::string& path) {
  require_positive(parameters.depth_tiles, path, "depth_tiles");
  require_at_most(parameters.depth_tiles, 64, path, "depth_tiles");
  require(!parameters.per_octet || !parameters.shared, member_path(path, "per_octet"), "must be false if all tensor cores share a buffer");
}

void validate(const tensor_core_parameters& parameters, const std::string& path) {
  require_arithmetic(parameters, path);
  const auto one_of = [&](unsigned value, const char* member) {
    require(value == 1 || value == 2 || value == 4, member_path(path, member), "must be 1, 2 or 4, is " + std::to_string(value));
  };
  one_of(parameters.count, "count");
  one_of(parameters.octets_per_cycle, "octets_per_cycle");
  require_positive(parameters.dot_product_units, path, "dot_product_units");
  require_at_most(parameters.dot_product_units, 1024, path, "dot_product_units");
  require_at_most(parameters.f64_units, 1024, path, "f64_units");
  require_at_most(parameters.unit.sub_byte_recovery_cycles, 1000, member_path(path, "unit"), "sub_byte_recovery_cycles");
  require_positive(parameters.multiply_stages, path, "multiply_stages");
  require_positive(parameters.adder_stages, path, "adder_stages");
  require_positive(parameters.result_stages, path, "result_stages");
  for (const auto& [value, member] :
       {std::pair{parameters.multiply_stages, "multiply_stages"}, std::pair{parameters.adder_stages, "adder_stages"},
        std::pair{parameters.result_stages, "result_stages"}, std::pair{parameters.f16_result_stages, "f16_result_stages"},
        std::pair{parameters.f64_result_stages, "f64_result_stages"}})
    require_at_most(value, 1000, path, member);
  require_positive(parameters.f32_accumulate_divider, path, "f32_accumulate_divider");
  require_at_most(parameters.f32_accumulate_divider, 64, path, "f32_accumulate_divider");
}

}  // namespace tc::config
