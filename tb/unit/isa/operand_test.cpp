// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/special_register.hpp>

namespace tc::isa::operand_test {
namespace {

using kind = operand::kind;

instruction parse(std::string_view text, architecture arch = architecture::sm_80) { return parse_operation(text, arch); }

TEST(Operand, DestinationsAndSourcesKeepTheTextualOrder) {
  const instruction i = parse("IADD3 R4, P1, P2, R52.reuse, c[0x0][0x160], -R41");
  ASSERT_EQ(i.destination_count, 3);
  EXPECT_TRUE(i.destinations[0].is_register(register_file::vector));
  EXPECT_EQ(i.destinations[1].index, 1);
  EXPECT_EQ(i.destinations[2].index, 2);
  ASSERT_EQ(i.source_count, 3);
  EXPECT_EQ(i.sources[0].index, 52);
  EXPECT_TRUE(i.sources[0].reuse);
  EXPECT_EQ(i.sources[1].what, kind::constant);
  EXPECT_EQ(i.sources[1].bank, 0);
  EXPECT_EQ(i.sources[1].value, 0x160U);
  EXPECT_TRUE(i.sources[2].negated);
  EXPECT_FALSE(i.sources[2].reuse);
}

TEST(Operand, PredicatesMayPrecedeTheRegister) {
  const instruction with = parse("LOP3.LUT P0, RZ, R3, 0x3, RZ, 0xc0, !PT"), without = parse("LOP3.LUT R2, R3, 0x3, RZ, 0xc0, !PT");
  EXPECT_EQ(with.destination_count, 2);
  EXPECT_EQ(without.destination_count, 1);
  ASSERT_EQ(with.source_count, 5);
  ASSERT_EQ(without.source_count, 5);
  EXPECT_EQ(with.sources[3].value, 0xc0U);
  EXPECT_TRUE(with.sources[4].inverted);
}

TEST(Operand, SourcePredicatesAreNotTakenForCarries) {
  const instruction i = parse("IMAD.X R5, R7, 0x1, ~R5, P1");
  EXPECT_EQ(i.destination_count, 1);
  ASSERT_EQ(i.source_count, 4);
  EXPECT_TRUE(i.sources[2].inverted);
  EXPECT_TRUE(i.sources[3].is_register(register_file::predicate));
}

TEST(Operand, VoteMayLeaveOutItsRegister) {
  EXPECT_EQ(parse("VOTE.ANY R4, PT, P0").destination_count, 2);
  EXPECT_EQ(parse("VOTE.ALL P0, P1").destination_count, 1);
}

TEST(Operand, GuardIsKept) {
  const instruction i = parse("@!UP3 IADD3 R1, R2, R3, R4");
  EXPECT_EQ(i.guard.file, register_file::uniform_predicate);
  EXPECT_EQ(i.guard.index, 3);
  EXPECT_TRUE(i.guard.inverted);
  EXPECT_EQ(i.text, "IADD3 R1, R2, R3, R4");
  EXPECT_EQ(parse("NOP").guard.index, true_predicate);
}

TEST(Operand, IntegerImmediates) {
  EXPECT_EQ(parse("MOV R0, 0x1f").sources[0].value, 0x1fU);
  EXPECT_EQ(parse("IADD3 R0, R1, -0x80, RZ").sources[1].value, 0xffffff80U);
  EXPECT_FALSE(parse("IADD3 R0, R1, -0x80, RZ").sources[1].negated);
  EXPECT_EQ(parse("MOV R0, 0xffffffff").sources[0].value, 0xffffffffU);
  EXPECT_EQ(parse("DEPBAR.LE SB0, 0x0, {3,2}").sources[2].value, 0b1100U);
}

TEST(Operand, FloatingPointImmediatesAreBits) {
  EXPECT_EQ(parse("FADD R0, R1, 1.5").sources[1].value, 0x3fc00000U);
  EXPECT_EQ(parse("FADD R0, R1, -1").sources[1].value, 0xbf800000U);
  EXPECT_EQ(parse("FMUL R0, R1, +INF").sources[1].value, 0x7f800000U);
  EXPECT_EQ(parse("FMUL R0, R1, -INF").sources[1].value, 0xff800000U);
  EXPECT_EQ(parse("FADD R0, R1, 1.40129846432481707092e-45").sources[1].value, 1U);
  EXPECT_EQ(parse("DMUL R4, R2, 0.5").sources[1].value, 0x3fe00000U);
}

/// `HFMA2.MMA R5, -RZ, RZ, 0, 2.384185791015625e-07` is encoded with the immediate 0x00000004.
TEST(Operand, PackedHalvesAreOneImmediate) {
  const instruction i = parse("HFMA2.MMA R5, -RZ, RZ, 0, 2.384185791015625e-07");
  ASSERT_EQ(i.source_count, 3);
  EXPECT_EQ(i.sources[2].value, 0x00000004U);
  EXPECT_EQ(parse("HADD2 R0, R1, 1, -0.5").sources[1].value, 0x3c00b800U);
  EXPECT_EQ(parse("HFMA2.BF16_V2 R0, R1, 1, 2, R2").sources[1].value, 0x3f804000U);
}

TEST(Operand, PartsOfRegisters) {
  EXPECT_EQ(parse("HADD2.F32 R4, -RZ, R4.H0_H0").sources[1].part, register_part::low_half);
  EXPECT_EQ(parse("HADD2.F32 R4, -RZ, R4.H1_H1").sources[1].part, register_part::high_half);
  EXPECT_EQ(parse("I2F.U8 R4, R5.B2").sources[0].part, register_part::byte_2);
  EXPECT_TRUE(parse("FADD R0, -|R1|, R2").sources[0].absolute);
  EXPECT_TRUE(parse("FADD R0, -|R1|, R2").sources[0].negated);
}

TEST(Operand, SpecialRegisters) {
  EXPECT_EQ(parse("S2R R0, SR_TID.X").sources[0].index, static_cast<unsigned>(special_register::tid_x));
  EXPECT_EQ(parse("CS2R R0, SR_CLOCKLO").sources[0].index, static_cast<unsigned>(special_register::clock_low));
  EXPECT_EQ(parse("CS2R R0, SRZ").sources[0].index, static_cast<unsigned>(special_register::zero));
}

memory_reference address_of(std::string_view text, architecture arch) { return parse(text, arch).sources[0].memory; }

TEST(Operand, TuringGlobalAddressesArePairsWithoutSaying) {
  const memory_reference address = address_of("LDG.E.SYS R0, [R6+-0x100]", architecture::sm_75);
  EXPECT_EQ(address.base, 6);
  EXPECT_EQ(address.base_count, 2);
  EXPECT_EQ(address.offset, -0x100);
  EXPECT_EQ(address_of("LDS R0, [R6]", architecture::sm_75).base_count, 1);
}

TEST(Operand, AddressesWithUniformRegisters) {
  const memory_reference global = address_of("LDG.E.SYS R0, [R4.64+UR6+0x200]", architecture::sm_75);
  EXPECT_EQ(global.base_count, 2);
  EXPECT_EQ(global.uniform, 6);
  EXPECT_EQ(global.uniform_count, 2);
  EXPECT_EQ(global.offset, 0x200);
  EXPECT_EQ(address_of("LDG.E R0, [R5.U32+UR4]", architecture::sm_80).base_count, 1);
  const memory_reference shared = address_of("LDS.128 R4, [UR5+0x200]", architecture::sm_90);
  EXPECT_EQ(shared.base_count, 0);
  EXPECT_EQ(shared.uniform_count, 1);
}

TEST(Operand, DescriptorIsAUniformPair) {
  const memory_reference address = address_of("LDG.E R0, desc[UR4][R2.64+0x10]", architecture::sm_90);
  EXPECT_EQ(address.descriptor, 4);
  EXPECT_EQ(address.base_count, 2);
  EXPECT_EQ(address.offset, 0x10);
  EXPECT_EQ(address_of("LDGSTS.E.LTC128B.128 [R81+UR4], desc[UR5][R64.64], P3", architecture::sm_86).descriptor, zero_uniform_register);
  EXPECT_EQ(address_of("LDG.E R0, desc[UR5][R2.64]", architecture::sm_86).descriptor, 5) << "compiled code has odd ones";
}

TEST(Operand, SharedAddresses) {
  EXPECT_EQ(address_of("STS.128 [R59.X16+0x800], R40", architecture::sm_80).scale, 16);
  EXPECT_EQ(address_of("LDS.128 R4, [RZ]", architecture::sm_80).base, zero_register);
  EXPECT_EQ(address_of("LDS.128 R4, [0x200]", architecture::sm_80).offset, 0x200);
  EXPECT_EQ(parse("LDGSTS.E.BYPASS.128 [R5], [R2.64]").sources[0].memory.base_count, 1);
}

TEST(Operand, IndexedConstant) {
  const operand constant = parse("LDC.64 R2, c[0x3][R4+0x10]").sources[0];
  EXPECT_EQ(constant.bank, 3);
  EXPECT_EQ(constant.value, 0x10U);
  EXPECT_EQ(constant.memory.base, 4);
  EXPECT_EQ(parse("MOV R2, cx[UR4][0x20]").sources[0].memory.descriptor, 4);
}

TEST(Operand, LabelsFollowACommaOrABlank) {
  EXPECT_EQ(parse("BSSY B0, `(.L_x_1)").sources[0].what, kind::label);
  const instruction ret = parse("RET.REL.NODEC R4 `(micro_b1)");
  ASSERT_EQ(ret.source_count, 2);
  EXPECT_EQ(ret.sources[0].count, 2);
  EXPECT_EQ(ret.sources[1].what, kind::label);
}

TEST(Operand, PlacesInCodeMayBeNumbers) {
  EXPECT_EQ(parse("BRA 0x110").sources[0].value, 0x110U);
  const instruction computed = parse("BRX R4 -0x1b0");
  ASSERT_EQ(computed.source_count, 2);
  EXPECT_EQ(computed.sources[1].value, 0U - 0x1b0U);
  EXPECT_EQ(parse("RET.REL.NODEC R4 0x0").source_count, 2);
  EXPECT_EQ(parse("LEPC R20, `(.L_x_1)").destinations[0].count, 2);
}

/// What the parser says of a text it refuses.
std::string refusal_of(std::string_view text) {
  try {
    parse_operation(text, architecture::sm_80);
  } catch (const syntax_error& error) {
    return std::to_string(error.column()) + ": " + error.what();
  }
  return "nothing";
}

TEST(Operand, SignsAreRefusedWhereWordsHaveNoBitsForThem) {
  EXPECT_EQ(refusal_of("HMMA.16816.F32 R4, -R8, R12, R4"), "20: source 1 of HMMA takes no sign or complement, found '-R8'");
  EXPECT_EQ(refusal_of("HMMA.16816.F32 R4, R8, R12, |R4|"), "29: source 3 of HMMA takes no sign or complement, found '|R4|'");
  EXPECT_EQ(refusal_of("IMMA.16832.S8.S8 R4, -R8.ROW, R12.COL, R4"), "22: source 1 of IMMA takes no sign or complement, found '-R8.ROW'");
  EXPECT_EQ(refusal_of("BMMA.168256.XOR.POPC R4, R8.ROW, ~R12.COL, R4"),
            "34: source 2 of BMMA takes no sign or complement, found '~R12.COL'");
  EXPECT_EQ(refusal_of("FADD R4, ~R2, R3"), "10: source 1 of FADD takes no complement, found '~R2'");
  EXPECT_EQ(refusal_of("STG.E [R2.64], -R4"), "16: source 2 of STG takes no sign or complement, found '-R4'");
  for (const char* const right : {"DMMA.884 R12, -R4, |R6|, -|R8|", "HMMA.16816.F32 R4, R8, R12, R4, !PT", "FADD R4, -|R2|, R3",
                                  "IADD3 R4, -R2, ~R3, RZ", "DADD R4, -R2, |R8|", "I2F.RP R4, |R7|", "HFMA2 R4, -R2, |R3|, -RZ"})
    EXPECT_EQ(refusal_of(right), "nothing") << right;
  EXPECT_EQ(refusal_of("DMMA.884 R12, ~R4, R6, R8"), "15: source 1 of DMMA takes no complement, found '~R4'");
}

TEST(Operand, PcIsHexadecimal) { EXPECT_EQ(parse_instruction("/*1ba0*/ NOP", architecture::sm_80).pc, 0x1ba0U); }

}  // namespace
}  // namespace tc::isa::operand_test
