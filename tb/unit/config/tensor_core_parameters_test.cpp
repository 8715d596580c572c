// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/described_type.hpp>
#include <tc/config/parameter_loader.hpp>
#include <tc/config/tensor_core_parameters.hpp>

namespace tc::config::tensor_core_parameters_test {
namespace {

/// What is wrong with tensor cores that differ from the defaults in these assignments; empty if nothing is.
std::string complaint(const std::vector<std::string>& assignments) {
  try {
    make_parameters<tensor_core_parameters>({json_document::parse("{}", "t.json")}, assignments);
    return {};
  } catch (const config_error& error) {
    return error.what();
  }
}

void expect_complaint(const std::vector<std::string>& assignments, const std::string& path, const std::string& message) {
  const std::string text = complaint(assignments);
  EXPECT_NE(text.find(path), std::string::npos) << text;
  EXPECT_NE(text.find(message), std::string::npos) << text;
}

TEST(tensor_core_parameters, take_every_order_of_summation) {
  for (const char* const order : {"fused", "paired_groups", "fma_chain", "adder_tree"})
    EXPECT_EQ(complaint({std::string("arithmetic.f16.summation=") + order}), "") << order;
  expect_complaint({"arithmetic.f16.summation=random"}, "arithmetic.f16.summation", "adder_tree");
}

TEST(tensor_core_parameters, take_absent_products_with_any_other_settings) {
  EXPECT_EQ(complaint({"arithmetic.mxf4.group_length=0", "arithmetic.mxf4.products_per_term=7"}), "");
}

TEST(tensor_core_parameters, refuse_widths_beyond_the_adders) {
  expect_complaint({"arithmetic.f16.group_length=129"}, "arithmetic.f16.group_length", "at most 128");
  expect_complaint({"arithmetic.f16.alignment_fraction_bits=49"}, "arithmetic.f16.alignment_fraction_bits", "at most 48");
  expect_complaint({"arithmetic.f16.f16_alignment_floor=1024"}, "arithmetic.f16.f16_alignment_floor", "at most 1023");
  expect_complaint({"arithmetic.f16.alignment_fraction_bits=0"}, "arithmetic.f16.alignment_fraction_bits", "positive");
  expect_complaint({"arithmetic.f16.f32_kept_fraction_bits=24"}, "arithmetic.f16.f32_kept_fraction_bits", "at most 23");
}

TEST(tensor_core_parameters, refuse_settings_that_contradict_each_other) {
  expect_complaint({"b_buffer.per_octet=true"}, "b_buffer.per_octet", "must be false if all tensor cores share a buffer");
  expect_complaint({"arithmetic.f16.products_per_term=0"}, "arithmetic.f16.products_per_term", "positive");
  expect_complaint({"arithmetic.f16.products_per_term=3"}, "arithmetic.f16.products_per_term", "must divide group_length, 16, is 3");
  expect_complaint({"arithmetic.f16.summation=adder_tree", "arithmetic.f16.products_per_term=2"}, "arithmetic.f16.products_per_term",
                   "unless summation is fused");
  expect_complaint({"arithmetic.f16.summation=fma_chain", "arithmetic.f16.align_to_zeros=true"}, "arithmetic.f16.align_to_zeros",
                   "summation is fma_chain");
  expect_complaint({"arithmetic.f8_by_f16.group_length=16", "arithmetic.f8_by_f16.summation=fma_chain"}, "arithmetic.f8_by_f16.summation",
                   "must be fused");
  expect_complaint({"arithmetic.f8_by_f16.group_length=16", "arithmetic.f8_by_f16.products_per_term=4"},
                   "arithmetic.f8_by_f16.products_per_term", "must be 1");
  expect_complaint({"arithmetic.mxf4.group_length=64", "arithmetic.mxf4.summation=adder_tree"}, "arithmetic.mxf4.summation",
                   "must be fused");
  expect_complaint({"arithmetic.tf32.products_per_term=4"}, "arithmetic.tf32.products_per_term", "must be 1, is 4");
}

TEST(tensor_core_parameters, refuse_units_whose_products_are_not_summed) {
  expect_complaint({"arithmetic.f16.group_length=0"}, "unit.f16_per_cycle", "arithmetic.f16.group_length is 0");
  expect_complaint({"unit.tf32_per_cycle=2", "arithmetic.tf32.group_length=0"}, "unit.tf32_per_cycle", "arithmetic.tf32.group_length");
  EXPECT_EQ(complaint({"arithmetic.bf16.group_length=0"}), "") << "the units multiply no bf16 by default";
}

}  // namespace
}  // namespace tc::config::tensor_core_parameters_test
