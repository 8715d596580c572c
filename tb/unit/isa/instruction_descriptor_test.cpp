// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/tcgen05/instruction_descriptor.hpp>

namespace tc::isa::instruction_descriptor_test {
namespace {

using kind = mma_kind;
using type = element_type;
constexpr auto one = cta_group::one, two = cta_group::two;
constexpr auto x1 = scale_vector::x1, x2 = scale_vector::x2, x4 = scale_vector::x4;

bool holds(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

struct example {
  std::uint32_t bits;
  mma_form form;
  type a, b, d;
  unsigned m, n;
};

// After the tables of the PTX ISA, and as CUTLASS makes them.
const std::vector<example>& examples() {
  static const std::vector<example> all{
      {0x08400010, {kind::f16}, type::f16, type::f16, type::f32, 128, 256},
      {0x08400490, {kind::f16}, type::bf16, type::bf16, type::f32, 128, 256},
      {0x08400910, {kind::tf32}, type::tf32, type::tf32, type::f32, 128, 256},
      {0x04100000, {kind::f16}, type::f16, type::f16, type::f16, 64, 64},
      {0x08200010, {kind::f8f6f4}, type::e4m3, type::e4m3, type::f32, 128, 128},
      {0x08101480, {kind::f8f6f4}, type::e5m2, type::e2m1, type::f16, 128, 64},
      {0x084004A8, {kind::i8}, type::s8, type::s8, type::s32, 128, 256},
      {0x10400490, {kind::f16, two}, type::bf16, type::bf16, type::f32, 256, 256},
      {0x08410490, {kind::f16}, type::bf16, type::bf16, type::f32, 128, 256},
      {0x82100010, {kind::f16, one, true}, type::f16, type::f16, type::f32, 32, 64},
      {0x08C00000, {kind::mxf8f6f4, one, false, false, x1}, type::e4m3, type::e4m3, type::f32, 128, 256},
      {0x68A01410, {kind::mxf8f6f4, one, false, false, x1}, type::e4m3, type::e2m1, type::f32, 128, 128},
      {0x08C00480, {kind::mxf4, one, false, false, x2}, type::e2m1, type::e2m1, type::f32, 128, 256},
      {0x48C004A0, {kind::mxf4, one, false, false, x2}, type::e2m1, type::e2m1, type::f32, 128, 256},
      {0x08400480, {kind::mxf4nvf4, one, false, false, x4}, type::e2m1, type::e2m1, type::f32, 128, 256},
  };
  return all;
}

TEST(InstructionDescriptor, HasTheBitsOfThePublishedTables) {
  for (const example& e : examples()) {
    SCOPED_TRACE(testing::Message() << std::hex << e.bits);
    ASSERT_EQ(instruction_descriptor_mistake(e.bits, e.form), "");
    const instruction_descriptor found = decode_instruction_descriptor(e.bits, e.form);
    EXPECT_EQ(found.a, e.a);
    EXPECT_EQ(found.b, e.b);
    EXPECT_EQ(found.d, e.d);
    EXPECT_EQ(found.m, e.m);
    EXPECT_EQ(found.n, e.n);
    EXPECT_EQ(encode(found, e.form), e.bits);
  }
  const auto decoded = [](std::size_t index) { return decode_instruction_descriptor(examples()[index].bits, examples()[index].form); };
  EXPECT_TRUE(decoded(6).saturate);
  EXPECT_EQ(decoded(8).b_major, matrix_major::mn);
  EXPECT_EQ(decoded(8).a_major, matrix_major::k);
  EXPECT_EQ(decoded(9).max_shift, 16);
  EXPECT_EQ(decoded(10).scale_type, type::ue8m0);
  EXPECT_EQ(decoded(11).scale_a_id, 3);
  EXPECT_EQ(decoded(11).scale_b_id, 1);
  EXPECT_EQ(decoded(13).scale_a_id, 2);
  EXPECT_EQ(decoded(13).scale_b_id, 2);
  EXPECT_EQ(decoded(14).scale_type, type::ue4m3);
  const mma_form sparse{kind::tf32, one, false, true};
  EXPECT_EQ(decode_instruction_descriptor(0x08400916, sparse).sparsity_selector, 2);
  const instruction_descriptor negated = decode_instruction_descriptor(0x08406010, {kind::f16});
  EXPECT_TRUE(negated.negate_a && negated.negate_b);
}

TEST(InstructionDescriptor, IsRefusedWithTheNameOfItsField) {
  struct mistake {
    std::uint32_t bits;
    mma_form form;
    std::string words;
  };
  const mma_form f16{kind::f16}, tf32{kind::tf32}, f8{kind::f8f6f4}, i8{kind::i8}, stationary{kind::f16, one, true}, pair{kind::f16, two},
      mx8{kind::mxf8f6f4, one, false, false, x1}, mx4{kind::mxf4, one, false, false, x2}, nv4{kind::mxf4nvf4, one, false, false, x4};
  const std::vector<mistake> mistakes{
      {0x08400050, f16, "a reserved field"},
      {0x08C00010, f16, "a reserved field"},
      {0x28400010, f16, "a reserved field"},
      {0x08C00001, mx8, "a reserved field"},
      {0x08C00008, mx8, "a reserved field"},
      {0x09C00000, mx8, "a reserved field"},
      {0x88C00000, mx8, "a reserved field"},
      {0x08C01480, mx4, "a reserved field"},
      {0x08C08480, mx4, "a reserved field"},
      {0x90400480, {kind::mxf4nvf4, two, false, false, x4}, "K in the instruction descriptor 0x90400480 (bit 31)"},
      {0x08400014, f16, "sparsity in the instruction descriptor 0x08400014 (bit 2)"},
      {0x08400010, {kind::f16, one, false, true}, "sparsity in"},
      {0x08400011, f16, "sparsity selector"},
      {0x08200015, {kind::f8f6f4, one, false, true}, "sparsity selector"},
      {0x08400110, f16,
       "type of A in the instruction descriptor 0x08400110 (bits 7 to 9) of .kind::f16 must be f16 (0) or bf16 (1), not 2"},
      {0x08400810, f16, "type of B"},
      {0x08400010, tf32, "type of A"},
      {0x08200110, f8, "type of A"},
      {0x08C00400, mx4, "type of A"},
      {0x08400020, f16, "type of D"},
      {0x08400900, tf32, "type of D"},
      {0x08400490, i8, "type of D"},
      {0x08400480, f16, "type of D"},
      {0x08400018, f16, "saturation"},
      {0x084024A0, i8, "negation of A"},
      {0x084044A0, i8, "negation of B"},
      {0x48400010, f16, "maximum shift"},
      {0x08400000, mx8, "type of the scales"},
      {0x08400480, mx4, "type of the scales"},
      {0x28C00480, mx4, "scale factor ID of A"},
      {0x08C00490, mx4, "scale factor ID of B"},
      {0x48400480, nv4, "scale factor ID of A"},
      {0x10400010, f16, "M in"},
      {0x04400010, pair, "M in"},
      {0x04C00000, mx8, "a reserved field"},
      {0x00C00000, mx8, "M in"},
      {0x10C00000, mx8, "M in"},
      {0x08000010, f16, "N in"},
      {0x08420010, f16, "N in"},
      {0x10020010, pair, "N in"},
      {0x080A04A0, i8, "N in"},
      {0x08060010, stationary, "N in"},
      {0x08400014, {kind::f16, one, true, true}, "N in"},
      {0x08030010, f8, "multiple of 16 as B is transposed"},
      {0x10050010, {kind::f8f6f4, two}, "multiple of 32 as B is transposed"},
  };
  for (const mistake& m : mistakes) {
    const std::string found = instruction_descriptor_mistake(m.bits, m.form);
    EXPECT_TRUE(holds(found, m.words)) << std::hex << m.bits << ": '" << found << "' should say " << m.words;
    EXPECT_THROW(decode_instruction_descriptor(m.bits, m.form), std::invalid_argument);
  }
}

TEST(InstructionDescriptor, EncodesOnlyWhatItCanHold) {
  const mma_form f16{kind::f16};
  const auto throws = [](instruction_descriptor descriptor, const mma_form& form) {
    EXPECT_THROW(encode(descriptor, form), std::invalid_argument);
  };
  instruction_descriptor good;
  EXPECT_EQ(encode(good, f16), 0x08020010U);
  instruction_descriptor bad = good;
  bad.m = 72;
  throws(bad, f16);
  bad = good;
  bad.n = 12;
  throws(bad, f16);
  bad = good;
  bad.a = type::e4m3;
  throws(bad, f16);
  bad = good;
  bad.max_shift = 4;
  throws(bad, {kind::f16, one, true});
  bad = good;
  bad.a = bad.b = type::e2m1;
  throws(bad, {kind::mxf4, one, false, false, x2});  // no type of scales
  bad.scale_type = type::ue8m0;
  EXPECT_EQ(encode(bad, {kind::mxf4, one, false, false, x2}), 0x08820480U);
  bad.d = type::f16;
  throws(bad, {kind::mxf4, one, false, false, x2});
}

TEST(MmaForm, HasTheShapesOfThePtxIsa) {
  using list = std::vector<unsigned>;
  EXPECT_EQ(mma_rows({kind::f16}), (list{64, 128}));
  EXPECT_EQ(mma_rows({kind::i8, two}), (list{128, 256}));
  EXPECT_EQ(mma_rows({kind::tf32, one, true}), (list{32, 64, 128}));
  EXPECT_EQ(mma_rows({kind::mxf4, one, false, false, x2}), (list{128}));
  EXPECT_EQ(mma_rows({kind::mxf4, two, false, true, x2}), (list{256}));
  EXPECT_EQ(mma_columns({kind::f16}).size(), 32U);
  EXPECT_EQ(mma_columns({kind::f16, two}).front(), 16U);
  EXPECT_EQ(mma_columns({kind::i8, two}), (list{32, 64, 96, 128, 160, 192, 224, 256}));
  EXPECT_EQ(mma_columns({kind::i8}), (list{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 144, 160, 176, 192, 208, 224, 240, 256}));
  EXPECT_EQ(mma_columns({kind::f16, one, true, true}), (list{64, 128}));
  EXPECT_EQ(mma_k({kind::f16}), 16U);
  EXPECT_EQ(mma_k({kind::tf32, one, false, true}), 16U);
  EXPECT_EQ(mma_k({kind::i8}), 32U);
  EXPECT_EQ(mma_k({kind::mxf4nvf4, one, false, true, x4}), 128U);
  EXPECT_TRUE(holds(mma_form_mistake({kind::f16, two, true}), ".cta_group::1 only"));
  EXPECT_TRUE(holds(mma_form_mistake({kind::mxf4, one, true, false, x2}), "no .kind::mxf4"));
  EXPECT_TRUE(holds(mma_form_mistake({kind::mxf4}), "needs a vector"));
  EXPECT_TRUE(holds(mma_form_mistake({kind::mxf4, one, false, false, x4}), "takes no .scale_vec::4X"));
  EXPECT_TRUE(holds(mma_form_mistake({kind::f16, one, false, false, x1}), "takes no"));
  EXPECT_EQ(mma_form_mistake({kind::mxf4nvf4, one, false, false, x2}), "");
}

TEST(MmaForm, NamesKindsAndScalesAsPtxDoes) {
  EXPECT_EQ(find_mma_kind("mxf4nvf4"), kind::mxf4nvf4);
  EXPECT_EQ(find_mma_kind("f64"), std::nullopt);
  EXPECT_EQ(find_scale_vector(kind::mxf4nvf4, "block16"), x4);
  EXPECT_EQ(find_scale_vector(kind::mxf4nvf4, "block32"), x2);
  EXPECT_EQ(find_scale_vector(kind::mxf8f6f4, "scale_vec::1X"), x1);
  EXPECT_EQ(find_scale_vector(kind::mxf8f6f4, "block16"), std::nullopt);
  EXPECT_EQ(find_scale_vector(kind::f16, ""), std::nullopt);
  EXPECT_EQ(default_scale_vector(kind::mxf4), x2);
  EXPECT_EQ(default_scale_vector(kind::mxf4nvf4), std::nullopt);
  EXPECT_EQ(default_scale_vector(kind::i8), scale_vector::none);
}

TEST(MmaForm, TransposesOnlyWithItsSwizzle) {
  constexpr auto k = matrix_major::k, mn = matrix_major::mn;
  constexpr auto atoms = swizzle_mode::bytes_128_atom_32, b128 = swizzle_mode::bytes_128;
  EXPECT_EQ(mma_swizzle_mistake(kind::tf32, mn, atoms), "");
  EXPECT_EQ(mma_swizzle_mistake(kind::f16, mn, b128), "");
  EXPECT_EQ(mma_swizzle_mistake(kind::mxf4, k, b128), "");
  EXPECT_TRUE(holds(mma_swizzle_mistake(kind::tf32, mn, b128), "must be swizzled in 32 bytes"));
  EXPECT_TRUE(holds(mma_swizzle_mistake(kind::f16, mn, atoms), "no transposed matrix"));
  EXPECT_TRUE(holds(mma_swizzle_mistake(kind::f16, k, atoms), "no K-major"));
  EXPECT_TRUE(holds(mma_swizzle_mistake(kind::mxf4, mn, b128), "are K-major"));
}

}  // namespace
}  // namespace tc::isa::instruction_descriptor_test
