// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <tc/study/vector_header.hpp>
#include <tc/study/vector_origin.hpp>

namespace tc::study::vector_header_test {
namespace {

using numerics::dot_product_operation;

std::string refusal_of(const std::string& line) {
  try {
    parse_header(line);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void expect_refused(const std::string& line, const std::string& why) {
  const std::string message = refusal_of(line);
  EXPECT_NE(message.find("header: "), std::string::npos) << line;
  EXPECT_NE(message.find(why), std::string::npos) << line << "\n" << message;
}

TEST(vector_header, of_registers_of_a_warp) {
  const std::string line = "m16n8k32.s32.s8.u8.s32.satfinite 4 2 4 4 210 NVIDIA_H200";
  const vector_header header = parse_header(line);
  EXPECT_EQ(header.kind, vector_kind::fragments);
  EXPECT_EQ(header.operation.family, instruction_family::mma_sync);
  EXPECT_EQ(header.rows(), 16u);
  EXPECT_EQ(header.columns(), 8u);
  EXPECT_EQ(header.outputs(), 128u);
  EXPECT_EQ(header.operation.k, 32u);
  EXPECT_EQ(header.operation.types.a, numerics::s8);
  EXPECT_EQ(header.operation.types.b, numerics::u8);
  EXPECT_EQ(header.operation.types.operation, dot_product_operation::integer_saturate);
  EXPECT_EQ(header.cases, 210u);
  EXPECT_EQ(header.origin, "NVIDIA_H200");
  EXPECT_EQ(text_of(header), line);
}

TEST(vector_header, of_four_matrices_of_quad_pairs) {
  const std::string line = "m8n8k4.col.row.f32.f16.f16.f16 2 2 4 8 5 Tesla_V100";
  const vector_header header = parse_header(line);
  EXPECT_EQ(header.matrices(), 4u);
  EXPECT_EQ(header.outputs(), 256u);
  EXPECT_EQ(header.operation.c, numerics::f16);
  EXPECT_EQ(header.operation.types.accumulator, numerics::f32);
  EXPECT_TRUE(header.operation.fragments.a_column);
  EXPECT_FALSE(header.operation.fragments.b_column);
  EXPECT_EQ(text_of(header), line);
}

TEST(vector_header, of_a_warpgroup) {
  const std::string line = "wgmma.m64n24k32.f16.e4m3.e5m2 4 192 6 6 84 NVIDIA_H200";
  const vector_header header = parse_header(line);
  EXPECT_EQ(header.operation.family, instruction_family::wgmma);
  EXPECT_EQ(header.rows(), 64u);
  EXPECT_EQ(header.columns(), 24u);
  EXPECT_EQ(text_of(header), line);
}

TEST(vector_header, bits_are_combined_as_the_name_says) {
  const auto operation = [](const std::string& line) { return parse_header(line).operation.types.operation; };
  EXPECT_EQ(operation("m16n8k256.s32.b1.b1.s32.and.popc 4 2 4 4 1 x"), dot_product_operation::binary_and);
  EXPECT_EQ(operation("m8n8k128.s32.b1.b1.s32.xor.popc 1 1 2 2 1 x"), dot_product_operation::binary_xor);
  EXPECT_EQ(operation("wgmma.m64n8k256.s32.b1.b1.and.popc 4 64 4 4 1 x"), dot_product_operation::binary_and);
}

TEST(vector_header, of_dot_products) {
  const std::string line = "dot volta m8n8k4.f32.f16.f16.f32 k=4 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=504";
  const vector_header header = parse_header(line);
  EXPECT_EQ(header.kind, vector_kind::dots);
  EXPECT_EQ(header.outputs(), 1u);
  EXPECT_EQ(header.origin, "volta");
  EXPECT_EQ(header.operation.k, 4u);
  EXPECT_FALSE(header.operation.types.scaling.has_value());
  EXPECT_EQ(text_of(header), line);
}

TEST(vector_header, of_block_scaled_dot_products) {
  for (const std::string line :
       {"dot blackwell m128n8k64.block16.f32.e2m1.e2m1.ue4m3 k=64 scales=4 a=e2m1 b=e2m1 c=f32 d=f32 s=ue4m3 cases=9",
        "dot blackwell m128n8k64.block32.f32.e2m1.e2m1.ue8m0 k=64 scales=2 a=e2m1 b=e2m1 c=f32 d=f32 s=ue8m0 cases=9",
        "dot blackwell m128n8k32.block32.f32.e3m2.e2m3.ue8m0 k=32 scales=1 a=e3m2 b=e2m3 c=f32 d=f32 s=ue8m0 cases=9"}) {
    const vector_header header = parse_header(line);
    ASSERT_TRUE(header.operation.types.scaling.has_value());
    EXPECT_EQ(header.operation.types.scaling->block_length, line.find("block16") == std::string::npos ? 32u : 16u);
    EXPECT_EQ(text_of(header), line);
    EXPECT_EQ(text_of(make_header(vector_kind::dots, header.name, "blackwell", 9)), line) << "the types follow from the name";
  }
}

TEST(vector_header, fields_of_fragment_files_that_are_wrong) {
  expect_refused("m16n8k16.f32.f16.f16.f32 4 2", "expected \"name a_regs b_regs c_regs d_regs cases device\"");
  expect_refused("m16n8k17.f32.f16.f16.f32 4 2 4 4 210 x", "m16n8k17");
  expect_refused("m16n8k16.f32.f17.f16.f32 4 2 4 4 210 x", "f17");
  expect_refused("wmma.m16n16k16.f16.f32 8 8 8 8 210 x", "mma.sync or wgmma");
  expect_refused("m16n8k16.f32.f16.f16.f32 3 2 4 4 210 x", "a_regs is 3, but m16n8k16.f32.f16.f16.f32 has 4");
  expect_refused("m16n8k16.f32.f16.f16.f32 4 1 4 4 210 x", "b_regs is 1");
  expect_refused("m16n8k16.f32.f16.f16.f32 4 2 2 4 210 x", "c_regs is 2");
  expect_refused("m16n8k16.f32.f16.f16.f32 4 2 4 2 210 x", "d_regs is 2");
  expect_refused("m16n8k16.f32.f16.f16.f32 four 2 4 4 210 x", "a_regs is \"four\"");
  expect_refused("m16n8k16.f32.f16.f16.f32 4 2 4 4 -1 x", "cases is \"-1\"");
}

TEST(vector_header, fields_of_warpgroups_that_are_wrong) {
  expect_refused("wgmma.m64n8k16.f32.f16.f16 4 32 4 4 84 x", "b_regs is 32, but wgmma.m64n8k16.f32.f16.f16 has 64");
  expect_refused("wgmma.m32n8k16.f32.f16.f16 4 64 4 4 84 x", "m is 64");
  expect_refused("wgmma.m64n12k16.f32.f16.f16 4 64 4 4 84 x", "n is a multiple of 8");
  expect_refused("wgmma.m64n8k8.f32.f16.f16 4 64 4 4 84 x", "k is 16");
  expect_refused("wgmma.m64n8k16.f32.f16.bf16 4 64 4 4 84 x", "no A of f16 with B of bf16");
  expect_refused("wgmma.m64n8k16.f16.bf16.bf16 4 64 4 4 84 x", "does not accumulate in f16");
  expect_refused("wgmma.m64n8k16.f32 4 64 4 4 84 x", "types of D, A and B");
  expect_refused("wgmma.m64n8k16.f32.f61.f16 4 64 4 4 84 x", "\"f61\" is no part of an operation's name");
  expect_refused("wgmma.m64n8k256.s32.b1.b1.popc 4 64 4 4 84 x", "xor or and");
}

TEST(vector_header, fields_of_dot_files_that_are_wrong) {
  const std::string begin = "dot hopper m16n8k16.f32.f16.f16.f32 ";
  expect_refused("dot hopper", "expected \"dot arch name");
  expect_refused(begin + "k=16 scales=0 a=f16 b=f16 c=f32 d=f32 s=-", "cases= is missing");
  expect_refused(begin + "k=16 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=x", "cases= is \"x\"");
  expect_refused(begin + "k=16 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=1 cases=1", "cases= is there twice");
  expect_refused(begin + "k=16 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=1 e=1", "\"e=1\" is no field");
  expect_refused(begin + "k=8 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=1", "k 16, but the header k=8");
  expect_refused(begin + "k=16 scales=0 a=f9 b=f16 c=f32 d=f32 s=- cases=1", "a=f9: ");
  expect_refused(begin + "k=16 scales=0 a=f9 b=f16 c=f32 d=f32 s=- cases=1", "e4m3");
  expect_refused(begin + "k=16 scales=0 a=f16 b=f16 c=f32 d=f16 s=- cases=1", "c=f32 does not go with d=f16");
  expect_refused(begin + "k=16 scales=0 a=f16 b=f16 c=f32 d=f32 s=ue8m0 cases=1", "scales=0 and s=ue8m0");
  expect_refused(begin + "k=16 scales=3 a=f16 b=f16 c=f32 d=f32 s=ue8m0 cases=1", "scales=3 does not divide k=16");
  expect_refused(begin + "k=16 scales=1 a=f16 b=f16 c=f32 d=f32 s=f16 cases=1", "block scales are ue8m0 or ue4m3");
  expect_refused("dot blackwell m128n8k64.block16.f32.e2m1.e2m1.ue8m0 k=64 scales=2 a=e2m1 b=e2m1 c=f32 d=f32 s=ue8m0 cases=9",
                 "block16, but k=64 and scales=2 make blocks of 32");
  expect_refused("dot hopper f32.f16 k=16 scales=0 a=f16 b=f16 c=f32 d=f32 s=- cases=1", "no shape");
}

TEST(vector_origin, generations_and_devices) {
  using isa::architecture;
  EXPECT_EQ(architecture_of_origin("volta"), architecture::sm_70);
  EXPECT_EQ(architecture_of_origin("ada_lovelace"), architecture::sm_89);
  EXPECT_EQ(architecture_of_origin("NVIDIA_H200"), architecture::sm_90);
  EXPECT_EQ(architecture_of_origin("NVIDIA H100 80GB HBM3"), architecture::sm_90);
  EXPECT_EQ(architecture_of_origin("Tesla_V100-SXM2-16GB"), architecture::sm_70);
  EXPECT_EQ(architecture_of_origin("NVIDIA_TITAN_V"), architecture::sm_70);
  EXPECT_EQ(architecture_of_origin("NVIDIA_TITAN_RTX"), architecture::sm_75);
  EXPECT_EQ(architecture_of_origin("Tesla_T4"), architecture::sm_75);
  EXPECT_EQ(architecture_of_origin("NVIDIA_A100-PCIE-40GB"), architecture::sm_80);
  EXPECT_EQ(architecture_of_origin("NVIDIA_GeForce_RTX_4090"), architecture::sm_89);
  EXPECT_EQ(architecture_of_origin("NVIDIA_RTX_6000_Ada_Generation"), architecture::sm_89);
  EXPECT_EQ(architecture_of_origin("Quadro_RTX_8000"), architecture::sm_75);
  EXPECT_EQ(architecture_of_origin("NVIDIA_B200"), architecture::sm_100);
  EXPECT_EQ(architecture_of_origin("tcsim_sm_86"), architecture::sm_86);
  EXPECT_EQ(architecture_of_origin("sm_1000"), std::nullopt);
  EXPECT_EQ(architecture_of_origin("abacus"), std::nullopt);
}

TEST(vector_origin, generation_of_every_architecture_leads_back) {
  using isa::architecture;
  for (const auto arch :
       {architecture::sm_70, architecture::sm_75, architecture::sm_80, architecture::sm_89, architecture::sm_90, architecture::sm_100})
    EXPECT_EQ(architecture_of_origin(isa::info(arch).generation), arch);
  EXPECT_EQ(isa::info(architecture::sm_86).generation, "ampere");
}

}  // namespace
}  // namespace tc::study::vector_header_test
