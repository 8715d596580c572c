// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::register_use_test {
namespace {

/// "R8x4A*": four registers from R8 on through slot A, kept for reuse.
std::string describe(const register_use& use) {
  constexpr const char* prefixes[] = {"?", "R", "UR", "P", "UP", "B", "SB"};
  std::ostringstream out;
  out << prefixes[static_cast<unsigned>(use.file)] << unsigned{use.index};
  if (use.count != 1) out << 'x' << unsigned{use.count};
  if (use.slot != no_slot) out << static_cast<char>('A' + use.slot);
  if (use.reuse) out << '*';
  return out.str();
}

std::string describe(const register_use_list& uses) {
  std::string text;
  for (const register_use& use : uses) text += (text.empty() ? "" : " ") + describe(use);
  return text;
}

struct expected_uses {
  const char* text;
  architecture arch;
  const char *writes, *reads;
};

std::ostream& operator<<(std::ostream& out, const expected_uses& e) { return out << e.text; }

class RegisterUse : public testing::TestWithParam<expected_uses> {};

TEST_P(RegisterUse, NamesRegistersCountsAndSlots) {
  const instruction i = parse_operation(GetParam().text, GetParam().arch);
  EXPECT_EQ(describe(i.writes), GetParam().writes);
  EXPECT_EQ(describe(i.reads), GetParam().reads);
}

constexpr auto sm_70 = architecture::sm_70, sm_75 = architecture::sm_75, sm_80 = architecture::sm_80, sm_90 = architecture::sm_90;

INSTANTIATE_TEST_SUITE_P(Matrix, RegisterUse,
                         testing::Values(expected_uses{"HMMA.884.F32.F32.STEP2 R12, R2.ROW, R4.COL, R12", sm_70, "R12x2",
                                                       "R2x2A R4x2B R12x2C"},
                                         expected_uses{"HMMA.1688.F32 R16, R8, R0, RZ", sm_75, "R16x4", "R8x2A R0B"},
                                         expected_uses{"HMMA.1688.F16 R4, R8, R1.reuse, R6", sm_75, "R4x2", "R8x2A R1B* R6x2C"},
                                         expected_uses{"HMMA.16816.F32 R4, R12.reuse, R28, R4", sm_80, "R4x4", "R12x4A* R28x2B R4x4C"},
                                         expected_uses{"IMMA.8816.S8.S8 R6, R3.reuse.ROW, R17.COL, R8", sm_75, "R6x2", "R3A* R17B R8x2C"},
                                         expected_uses{"DMMA.884 R4, R10, R14, R4", sm_80, "R4x4", "R10x2A R14x2B R4x4C"},
                                         expected_uses{"MOVM.16.MT88 R9, R48", sm_75, "R9", "R48A"}));

INSTANTIATE_TEST_SUITE_P(Memory, RegisterUse,
                         testing::Values(expected_uses{"LDG.E.128.SYS R4, [R2]", sm_75, "R4x4", "R2x2A"},
                                         expected_uses{"LDG.E R5, desc[UR8][R2.64+0x80]", sm_90, "R5", "R2x2A UR8x2"},
                                         expected_uses{"STG.E.64 desc[UR4][R2.64], R6", sm_90, "", "R2x2A UR4x2 R6x2B"},
                                         expected_uses{"STS.128 [R59.X16], R40", sm_75, "", "R59A R40x4B"},
                                         expected_uses{"LDS.128 R8, [UR4+0x200]", sm_90, "R8x4", "UR4"},
                                         expected_uses{"LDS.U8 R8, [R3]", sm_80, "R8", "R3A"},
                                         expected_uses{"LDSM.16.M88.4 R40, [R69]", sm_80, "R40x4", "R69A"},
                                         expected_uses{"LDC.64 R16, c[0x0][0x210]", sm_90, "R16x2", ""},
                                         expected_uses{"ULDC.64 UR6, c[0x0][0x160]", sm_75, "UR6x2", ""},
                                         expected_uses{"LDGSTS.E.BYPASS.128 [R5], [R2.64], P0", sm_80, "", "R5A R2x2B P0"},
                                         expected_uses{"ATOMG.E.ADD.64.STRONG.GPU PT, R2, [R4.64], R6", sm_80, "R2x2", "R4x2A R6x2B"}));

INSTANTIATE_TEST_SUITE_P(
    Arithmetic, RegisterUse,
    testing::Values(expected_uses{"IMAD.MOV.U32 R1, RZ, RZ, R4", sm_75, "R1", "R4C"}, expected_uses{"MOV R7, R0", sm_75, "R7", "R0B"},
                    expected_uses{"IMAD.WIDE R2, R0, R7, R8", sm_75, "R2x2", "R0A R7B R8x2C"},
                    expected_uses{"IMAD.HI.U32 R3, R3, R5, R2", sm_75, "R3", "R3A R5B R2x2C"},
                    expected_uses{"SHF.R.U32.HI R0, RZ, 0x5, R59.reuse", sm_75, "R0", "R59C*"},
                    expected_uses{"LEA.HI.X R5, R2.reuse, UR11, R3.reuse, 0x2, P0", sm_75, "R5", "R2A* UR11 R3C* P0"},
                    expected_uses{"@P2 SEL R3, R4, R5, !P0", sm_80, "R3", "P2 R4A R5B P0"},
                    expected_uses{"ISETP.LT.AND.EX P0, PT, R4, R5, PT, P1", sm_90, "P0", "R4A R5B P1"},
                    expected_uses{"PLOP3.LUT P0, PT, PT, PT, UP1, 0x80, 0x0", sm_90, "P0", "UP1"},
                    expected_uses{"UIADD3.X UR11, URZ, UR7, URZ, UP0, !UPT", sm_75, "UR11", "UR7 UP0"},
                    expected_uses{"DFMA R4, R2, R6, R8", sm_80, "R4x2", "R2x2A R6x2B R8x2C"},
                    expected_uses{"F2F.F64.F32 R2, R5", sm_80, "R2x2", "R5B"},
                    expected_uses{"F2I.S64.F64.TRUNC R4, R2", sm_80, "R4x2", "R2x2B"},
                    expected_uses{"I2F.U32.RP R4, R5", sm_80, "R4", "R5B"}, expected_uses{"R2UR UR4, R6", sm_90, "UR4", "R6A"},
                    expected_uses{"R2P PR, R0, 0x7e", sm_80, "P1x6", "R0A"}, expected_uses{"R2P PR, R0, 0x35", sm_80, "P0 P2 P4x2", "R0A"},
                    expected_uses{"P2R R0, PR, RZ, 0x4", sm_80, "R0", "P2"}, expected_uses{"P2R R0, PR, RZ, 0x7f", sm_80, "R0", "P0x7"}));

INSTANTIATE_TEST_SUITE_P(Control, RegisterUse,
                         testing::Values(expected_uses{"CS2R R6, SR_CLOCKLO", sm_75, "R6x2", ""},
                                         expected_uses{"CS2R.32 R7, SR_CLOCKLO", sm_90, "R7", ""},
                                         expected_uses{"S2UR UR6, SR_CgaCtaId", sm_90, "UR6", ""},
                                         expected_uses{"BSSY B0, `(.L_x_1)", sm_80, "B0", ""}, expected_uses{"BSYNC B1", sm_80, "", "B1"},
                                         expected_uses{"@!P0 BRA `(.L_x_1)", sm_80, "", "P0"}, expected_uses{"@!PT EXIT", sm_80, "", ""},
                                         expected_uses{"SHFL.BFLY P1, R5, R4, 0x1, R6", sm_80, "P1 R5", "R4A R6C"},
                                         expected_uses{"BMOV.32.CLEAR RZ, B0", sm_75, "", "B0"}, expected_uses{"NOP", sm_90, "", ""}));

}  // namespace
}  // namespace tc::isa::register_use_test
