// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::modifiers_test {
namespace {

modifiers mods_of(std::string_view text, architecture arch = architecture::sm_90) { return parse_operation(text, arch).mods; }

TEST(Modifiers, OfComparisons) {
  const modifiers mods = mods_of("ISETP.GE.U32.OR.EX P0, PT, R1, R2, P3, P4");
  EXPECT_EQ(mods.compare, comparison::greater_equal);
  EXPECT_EQ(mods.combine, boolean_operation::disjunction);
  EXPECT_EQ(mods.type, integer_type::u32);
  EXPECT_TRUE(mods.extended);
  EXPECT_TRUE(is_signed(mods_of("ISETP.LT.AND P0, PT, R1, R2, PT").type));
  EXPECT_EQ(mods_of("FSETP.NEU.AND P0, PT, R1, R2, PT").compare, comparison::not_equal_u);
}

TEST(Modifiers, OfIntegerArithmetic) {
  EXPECT_TRUE(mods_of("IADD3.X R1, R2, R3, R4, P0, P1").carry_in);
  EXPECT_TRUE(mods_of("IMAD.WIDE.U32 R2, R3, R4, R6").wide);
  EXPECT_FALSE(is_signed(mods_of("IMAD.WIDE.U32 R2, R3, R4, R6").type));
  EXPECT_TRUE(is_signed(mods_of("IMAD.WIDE R2, R3, R4, R6").type));
  EXPECT_TRUE(mods_of("IMAD.HI.U32 R3, R3, R4, R6").high);
  const modifiers lea = mods_of("LEA.HI.X.SX32 R4, R65, R2, 0x1, P1");
  EXPECT_TRUE(lea.high && lea.carry_in && lea.sign_extend);
}

TEST(Modifiers, OfShifts) {
  const modifiers left = mods_of("SHF.L.U64.HI R1, R2, 0x4, R3");
  EXPECT_EQ(left.shift, shift_direction::left);
  EXPECT_EQ(left.type, integer_type::u64);
  EXPECT_TRUE(left.high);
  const modifiers right = mods_of("SHF.R.S32.HI R1, RZ, 0x1f, R3");
  EXPECT_EQ(right.shift, shift_direction::right);
  EXPECT_EQ(right.type, integer_type::s32);
}

TEST(Modifiers, OfMemoryAccesses) {
  EXPECT_EQ(mods_of("LDG.E.128 R4, [R2.64]").access_bits, 128);
  EXPECT_TRUE(mods_of("LDG.E.128 R4, [R2.64]").address_64);
  EXPECT_EQ(mods_of("LDS R4, [R2]").access_bits, 32);
  EXPECT_FALSE(mods_of("LDS R4, [R2]").address_64);
  EXPECT_EQ(mods_of("LDS.U8 R4, [R2]").access_bits, 8);
  EXPECT_FALSE(mods_of("LDS.U8 R4, [R2]").access_signed);
  EXPECT_EQ(mods_of("LDG.E.S16.CONSTANT R4, [R2.64]").access_bits, 16);
  EXPECT_TRUE(mods_of("LDG.E.S16.CONSTANT R4, [R2.64]").access_signed);
  EXPECT_EQ(mods_of("LDS.U.128 R4, [0x200]", architecture::sm_75).access_bits, 128);
  EXPECT_EQ(mods_of("STG.E.64.STRONG.GPU [R2.64], R4").access_bits, 64);
}

TEST(Modifiers, OfMatrixMoves) {
  EXPECT_EQ(mods_of("LDSM.16.M88 R4, [R5]").matrices, 1);
  EXPECT_EQ(mods_of("LDSM.16.M88.2 R4, [R5]").matrices, 2);
  EXPECT_EQ(mods_of("LDSM.16.MT88.4 R4, [R5]").matrices, 4);
  EXPECT_TRUE(mods_of("LDSM.16.MT88.4 R4, [R5]").transpose);
  EXPECT_FALSE(mods_of("LDSM.16.M88.4 R4, [R5]").transpose);
  EXPECT_TRUE(mods_of("MOVM.16.MT88 R9, R48").transpose);
}

TEST(Modifiers, OfConversionsNameTheResultFirst) {
  const modifiers mods = mods_of("F2F.F16.F32 R1, R2");
  EXPECT_EQ(mods.first_format, element_type::f16);
  EXPECT_EQ(mods.second_format, element_type::f32);
}

TEST(Modifiers, OfLaneExchange) {
  EXPECT_EQ(mods_of("SHFL.BFLY PT, R1, R2, 0x1, 0x1f").shuffle, shuffle_mode::butterfly);
  EXPECT_EQ(mods_of("VOTE.ANY R4, PT, P0").vote, vote_mode::any);
  EXPECT_EQ(mods_of("PRMT.RC8 R1, R2, R3, R4").permute, permute_mode::replicate_8);
}

TEST(Modifiers, OfFloatingPoint) {
  EXPECT_TRUE(mods_of("FADD.FTZ.SAT R1, R2, R3").flush);
  EXPECT_TRUE(mods_of("FADD.FTZ.SAT R1, R2, R3").saturate);
  EXPECT_TRUE(mods_of("HFMA2.MMA R5, -RZ, RZ, 0, 0").matrix_pipe);
  EXPECT_EQ(mods_of("HADD2.F32 R4, -RZ, R4.H0_H0").first_format, element_type::f32);
  EXPECT_TRUE(mods_of("CS2R.32 R4, SR_CLOCKLO").clock_32);
}

}  // namespace
}  // namespace tc::isa::modifiers_test
