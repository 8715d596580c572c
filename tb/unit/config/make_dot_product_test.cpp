// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <filesystem>
#include <numerics/datapaths.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>
#include <tc/config/make_dot_product.hpp>

namespace tc::config::make_dot_product_test {
namespace {

using numerics::dot_product_operation;
using numerics::dot_product_parameters;
using numerics::dot_product_types;
using numerics::number_format;

arithmetic_parameters preset(const std::string& name) {
  return load_machine(std::filesystem::path(TC_SOURCE_DIR) / "configs" / (name + ".json")).sm.sub_core.tensor_core.arithmetic;
}

dot_product_types scaled(const number_format& a, const number_format& b, const number_format& scale, unsigned block_length) {
  return {a, b, numerics::f32, dot_product_operation::float_sum, numerics::block_scaling{scale, block_length}};
}

/// What a machine says of products that it does not have; empty if it has them.
std::string refusal(const dot_product_types& types, const arithmetic_parameters& arithmetic) {
  try {
    make_dot_product(types, arithmetic);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

/// A fused sum as the published tables give it.
struct fused_sum {
  const char* preset;
  number_format format;
  unsigned group_length, alignment_fraction_bits, kept_fraction_bits;
  operand_source source = operand_source::registers;
};

TEST(make_dot_product, has_the_fused_sums_of_every_preset) {
  using namespace numerics;
  constexpr auto shared = operand_source::shared_memory;
  const fused_sum sums[] = {{"volta", f16, 4, 23, 23},
                            {"turing", f16, 8, 24, 23},
                            {"ampere", f16, 8, 24, 23},
                            {"ampere", bf16, 8, 24, 23},
                            {"ampere", tf32, 4, 24, 23},
                            {"ada", f16, 8, 24, 23},
                            {"ada", bf16, 8, 24, 23},
                            {"ada", tf32, 4, 24, 23},
                            {"ada", e4m3, 16, 13, 13},
                            {"hopper", f16, 16, 25, 23},
                            {"hopper", bf16, 16, 25, 23},
                            {"hopper", tf32, 8, 25, 23},
                            {"hopper", e4m3, 32, 13, 13, shared},
                            {"blackwell", f16, 16, 25, 23},
                            {"blackwell", bf16, 16, 25, 23},
                            {"blackwell", tf32, 8, 25, 23},
                            {"blackwell", e4m3, 32, 25, 23},
                            {"blackwell", e2m1, 32, 25, 23, shared}};
  for (const fused_sum& sum : sums) {
    const dot_product_parameters p = make_dot_product({sum.format, sum.format, f32}, preset(sum.preset), sum.source).parameters();
    const std::string what = std::string(sum.preset) + ' ' + std::string(sum.format.name);
    EXPECT_EQ(p.order, numerics::summation::fused) << what;
    EXPECT_EQ(p.group_length, sum.group_length) << what;
    EXPECT_EQ(p.products_per_term, 1U) << what;
    EXPECT_EQ(p.alignment_fraction_bits, sum.alignment_fraction_bits) << what;
    EXPECT_EQ(p.output_rounding.mode, rounding_mode::toward_zero) << what;
    EXPECT_EQ(p.output_rounding.kept_fraction_bits, sum.kept_fraction_bits) << what;
    EXPECT_FALSE(p.multiply_as_f16 || p.flush_subnormals || p.align_to_zeros) << what;
  }
}

TEST(make_dot_product, gives_the_datapaths_that_the_arithmetic_is_tested_with) {
  for (const auto& gpu : numerics::test::all_architectures) {
    for (const number_format& accumulator : {numerics::f32, numerics::f16}) {
      const auto configured = make_dot_product({numerics::f16, numerics::f16, accumulator}, preset(gpu.name)).parameters();
      const auto tested = numerics::test::f16_dot_product(gpu, accumulator).parameters();
      EXPECT_EQ(configured.group_length, tested.group_length) << gpu.name;
      EXPECT_EQ(configured.alignment_fraction_bits, tested.alignment_fraction_bits) << gpu.name;
      EXPECT_EQ(configured.alignment_floor, tested.alignment_floor) << gpu.name;
      EXPECT_EQ(configured.output_rounding.mode, tested.output_rounding.mode) << gpu.name;
      EXPECT_EQ(configured.output_rounding.kept_fraction_bits, tested.output_rounding.kept_fraction_bits) << gpu.name;
    }
  }
}

TEST(make_dot_product, has_the_block_scaled_sums_of_blackwell) {
  using namespace numerics;
  const arithmetic_parameters blackwell = preset("blackwell");
  const auto mxf8f6f4 = make_dot_product(scaled(e4m3, e2m1, ue8m0, 32), blackwell).parameters();
  EXPECT_EQ(mxf8f6f4.group_length, 32U);
  EXPECT_EQ(mxf8f6f4.products_per_term, 1U);
  EXPECT_EQ(mxf8f6f4.alignment_fraction_bits, 25U);
  for (const auto& types : {scaled(e2m1, e2m1, ue8m0, 32), scaled(e2m1, e2m1, ue4m3, 16)}) {
    const auto mxf4 = make_dot_product(types, blackwell).parameters();
    EXPECT_EQ(mxf4.group_length, 64U);
    EXPECT_EQ(mxf4.products_per_term, 16U);
    EXPECT_EQ(mxf4.alignment_fraction_bits, 35U);
    EXPECT_EQ(mxf4.alignment_floor, 13U);
  }
}

TEST(make_dot_product, converts_8_bit_factors_only_from_hopper_registers) {
  const dot_product_types types{numerics::e4m3, numerics::e5m2, numerics::f32};
  const auto converted = make_dot_product(types, preset("hopper")).parameters();
  EXPECT_TRUE(converted.multiply_as_f16);
  EXPECT_EQ(converted.addend, numerics::addend_position::after_sum);
  EXPECT_EQ(converted.alignment_fraction_bits, 25U);
  EXPECT_FALSE(make_dot_product(types, preset("hopper"), operand_source::shared_memory).parameters().multiply_as_f16);
  EXPECT_FALSE(make_dot_product(types, preset("ada")).parameters().multiply_as_f16);
}

TEST(make_dot_product, chains_f64_from_ampere_on) {
  const dot_product_types types{numerics::f64, numerics::f64, numerics::f64};
  for (const char* const name : {"ampere", "ada", "hopper", "blackwell"})
    EXPECT_EQ(make_dot_product(types, preset(name)).parameters().order, numerics::summation::fma_chain) << name;
  for (const char* const name : {"volta", "turing"})
    EXPECT_NE(refusal(types, preset(name)).find("sm.sub_core.tensor_core.arithmetic.f64 is false"), std::string::npos) << name;
}

TEST(make_dot_product, names_the_key_of_products_that_are_not_there) {
  using namespace numerics;
  const std::string section = "sm.sub_core.tensor_core.arithmetic.";
  EXPECT_NE(refusal({bf16, bf16, f32}, preset("turing")).find("bf16: " + section + "bf16.group_length is 0"), std::string::npos);
  EXPECT_NE(refusal({tf32, tf32, f32}, preset("volta")).find(section + "tf32.group_length"), std::string::npos);
  EXPECT_NE(refusal({e4m3, e5m2, f32}, preset("ampere")).find("e4m3 by e5m2: " + section + "f8f6f4.group_length"), std::string::npos);
  EXPECT_NE(refusal(scaled(e4m3, e4m3, ue8m0, 32), preset("hopper")).find(section + "mxf8f6f4.group_length"), std::string::npos);
  EXPECT_NE(refusal(scaled(e2m1, e2m1, ue8m0, 32), preset("ada")).find("scales in ue8m0: " + section + "mxf4"), std::string::npos);
  EXPECT_NE(refusal({f32, f32, f32}, preset("hopper")).find("no tensor core multiplies f32"), std::string::npos);
  EXPECT_NE(refusal({f16, bf16, f32}, preset("hopper")).find("no tensor core multiplies f16 by bf16"), std::string::npos);
}

TEST(make_dot_product, carries_every_setting_over) {
  arithmetic_parameters arithmetic;
  arithmetic.f16 = {summation::paired_groups, 4,    1,   17, 9, 11, addend_position::after_sum, rounding::nearest_even, 9,
                    rounding::toward_zero,    true, true};
  const auto to_f32 = make_dot_product({numerics::f16, numerics::f16, numerics::f32}, arithmetic).parameters();
  EXPECT_EQ(to_f32.order, numerics::summation::paired_groups);
  EXPECT_EQ(to_f32.group_length, 4U);
  EXPECT_EQ(to_f32.alignment_fraction_bits, 17U);
  EXPECT_EQ(to_f32.alignment_floor, 9U);
  EXPECT_EQ(to_f32.addend, numerics::addend_position::after_sum);
  EXPECT_EQ(to_f32.output_rounding.mode, numerics::rounding_mode::to_nearest_even);
  EXPECT_EQ(to_f32.output_rounding.kept_fraction_bits, 9U);
  EXPECT_TRUE(to_f32.flush_subnormals);
  EXPECT_TRUE(to_f32.align_to_zeros);
  const auto to_f16 = make_dot_product({numerics::f16, numerics::f16, numerics::f16}, arithmetic).parameters();
  EXPECT_EQ(to_f16.alignment_floor, 11U);
  EXPECT_EQ(to_f16.output_rounding.mode, numerics::rounding_mode::toward_zero);
  EXPECT_EQ(to_f16.output_rounding.kept_fraction_bits, 10U);
}

}  // namespace
}  // namespace tc::config::make_dot_product_test
