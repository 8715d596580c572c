// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <tc/numerics/dot_product.hpp>

namespace tc::numerics::dot_product_test {
namespace {

using op = dot_product_operation;

/// The message with which a dot product is refused; empty if it is not.
std::string refusal(const number_format& a, const number_format& b, const number_format& accumulator, op operation,
                    const dot_product_parameters& parameters = {}) {
  try {
    const dot_product dot({a, b, accumulator, operation}, parameters);
    return {};
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

dot_product_parameters fused(unsigned group_length, unsigned alignment_fraction_bits) {
  dot_product_parameters parameters;
  parameters.group_length = group_length;
  parameters.alignment_fraction_bits = alignment_fraction_bits;
  return parameters;
}

bool mentions(const std::string& message, const std::string& part) { return message.find(part) != std::string::npos; }

TEST(dot_product, takes_every_tensor_core_combination) {
  for (const number_format& format : {f16, bf16, tf32, e4m3, e5m2}) EXPECT_EQ(refusal(format, format, f32, op::float_sum), "");
  EXPECT_EQ(refusal(f16, f16, f16, op::float_sum), "");
  EXPECT_EQ(refusal(e4m3, e5m2, f16, op::float_sum), "");
  for (const number_format& a : {s8, u8, s4, u4})
    for (const number_format& b : {s8, u8, s4, u4}) EXPECT_EQ(refusal(a, b, s32, op::integer_saturate), "");
  EXPECT_EQ(refusal(b1, b1, s32, op::binary_xor), "");
}

TEST(dot_product, refuses_formats_of_another_operation) {
  EXPECT_TRUE(mentions(refusal(s8, s8, f32, op::float_sum), "'s8' is not a floating-point format"));
  EXPECT_TRUE(mentions(refusal(f16, f16, s32, op::float_sum), "'s32' is not a floating-point format"));
  EXPECT_TRUE(mentions(refusal(f16, s8, s32, op::integer_wrap), "'f16' is not an integer format"));
  EXPECT_TRUE(mentions(refusal(s32, s8, s32, op::integer_wrap), "'s32' is not an integer format"));
  EXPECT_TRUE(mentions(refusal(b1, u4, s32, op::binary_and), "must be b1, not 'u4'"));
  EXPECT_TRUE(mentions(refusal(s8, s8, f32, op::integer_wrap), "accumulate in s32, not in 'f32'"));
}

TEST(dot_product, refuses_what_64_bit_sums_cannot_hold) {
  EXPECT_TRUE(mentions(refusal(f32, f32, f32, op::float_sum), "48 significant bits"));
  EXPECT_TRUE(mentions(refusal(f16, f16, f32, op::float_sum, fused(16, 49)), "49 alignment fraction bits"));
  EXPECT_TRUE(mentions(refusal(f16, f16, f32, op::float_sum, fused(0, 25)), "group length is 0"));
  EXPECT_TRUE(mentions(refusal(f16, f16, f32, op::float_sum, fused(129, 25)), "group length is 129"));
}

TEST(dot_product, refuses_settings_that_exclude_each_other) {
  dot_product_parameters p;
  p.products_per_term = 3;
  EXPECT_TRUE(mentions(refusal(e2m1, e2m1, f32, op::float_sum, p), "3 products a term do not divide the group length 16"));
  p.products_per_term = 16;
  EXPECT_TRUE(mentions(refusal(f16, f16, f32, op::float_sum, p), "the adders 62"));
  EXPECT_TRUE(mentions(refusal(tf32, tf32, f32, op::float_sum, p), "the adders 62"));
  p.order = summation::adder_tree;
  EXPECT_TRUE(mentions(refusal(e2m1, e2m1, f32, op::float_sum, p), "only fused sums"));
  p.products_per_term = 1;
  p.align_to_zeros = true;
  EXPECT_TRUE(mentions(refusal(f16, f16, f32, op::float_sum, p), "align_to_zeros"));
  p = {};
  p.multiply_as_f16 = true;
  EXPECT_TRUE(mentions(refusal(bf16, bf16, f32, op::float_sum, p), "not 'bf16'"));
  p.order = summation::fma_chain;
  EXPECT_TRUE(mentions(refusal(e4m3, e4m3, f32, op::float_sum, p), "fused datapath"));
}

TEST(dot_product, refuses_f64_in_other_sums_than_chains) {
  EXPECT_TRUE(mentions(refusal(f64, f64, f64, op::float_sum), "chain of fused multiply-adds"));
  EXPECT_TRUE(mentions(refusal(f32, f32, f64, op::float_sum), "takes products of f64"));
  EXPECT_TRUE(mentions(refusal(f64, f64, f32, op::float_sum), "106 significant bits"));
}

TEST(dot_product, refuses_scales_where_there_can_be_none) {
  const auto message = [](const dot_product_types& types, const dot_product_parameters& parameters = {}) {
    try {
      const dot_product dot(types, parameters);
      return std::string();
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
  };
  EXPECT_TRUE(mentions(message({ue8m0, ue8m0, f32}), "format of scales"));
  EXPECT_TRUE(mentions(message({e4m3, e4m3, f32, op::float_sum, block_scaling{e4m3, 32}}), "scales are ue8m0 or ue4m3"));
  EXPECT_TRUE(mentions(message({s8, s8, s32, op::integer_wrap, block_scaling{ue8m0, 32}}), "only floating-point"));
  dot_product_parameters p;
  p.order = summation::fma_chain;
  EXPECT_TRUE(mentions(message({e4m3, e4m3, f32, op::float_sum, block_scaling{ue8m0, 32}}, p), "only fused sums"));
  const std::uint32_t one = 0x38;
  EXPECT_THROW(dot_product({e4m3, e4m3, f32, op::float_sum, block_scaling{ue8m0, 32}})(&one, &one, 1, 0), std::logic_error);
}

TEST(dot_product, refuses_accumulators_that_cannot_hold_results) {
  EXPECT_TRUE(mentions(refusal(e4m3, e4m3, e4m3, op::float_sum), "must have infinities"));
  EXPECT_TRUE(mentions(refusal(tf32, tf32, tf32, op::float_sum), "'tf32' is an operand format"));
}

}  // namespace
}  // namespace tc::numerics::dot_product_test
