// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::syntax_error_test {
namespace {

/// A wrong line for sm_75, the column of the mistake, and words of the message.
struct wrong_line {
  const char* text;
  unsigned column;
  const char* message;
};

std::ostream& operator<<(std::ostream& out, const wrong_line& w) { return out << w.text; }

class SyntaxError : public testing::TestWithParam<wrong_line> {};

TEST_P(SyntaxError, NamesTheColumnAndTheMistake) {
  try {
    parse_instruction(GetParam().text, architecture::sm_75);
    FAIL() << "was accepted";
  } catch (const syntax_error& error) {
    EXPECT_EQ(error.column(), GetParam().column) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().message), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Frame, SyntaxError,
                         testing::Values(wrong_line{"NOP", 1, "starts with its pc"}, wrong_line{"/*00g0*/ NOP", 3, "hexadecimal"},
                                         wrong_line{"/*0000*/", 9, "opcode is missing"}, wrong_line{"/*0000*/ @R0 NOP", 10, "guard"},
                                         wrong_line{"/*0000*/ @P7 NOP", 11, "no register P7"},
                                         wrong_line{"/*0000*/ [B------:R-:W-:-:S01 NOP", 10, "closing ']'"},
                                         wrong_line{"/*0000*/ [B-----:R-:W-:-:S01] NOP", 11, "must look like"},
                                         wrong_line{"/*0000*/ [B------.R-:W-:-:S01] NOP", 18, "expected ':'"},
                                         wrong_line{"/*0000*/ [B-2----:R-:W-:-:S01] NOP", 13, "expected '-' or '1'"},
                                         wrong_line{"/*0000*/ [B------:R6:W-:-:S01] NOP", 20, "0 to 5"},
                                         wrong_line{"/*0000*/ [B------:R-:W9:-:S01] NOP", 23, "0 to 5"},
                                         wrong_line{"/*0000*/ [B------:R-:W-:y:S01] NOP", 25, "yield"},
                                         wrong_line{"/*0000*/ [B------:R-:W-:-:S16] NOP", 28, "00 to 15"},
                                         wrong_line{"/*0000*/ [B------:R-:W-:-:S 1] NOP", 28, "00 to 15"}));

INSTANTIATE_TEST_SUITE_P(Mnemonic, SyntaxError,
                         testing::Values(wrong_line{"/*0000*/ FROB R1", 10, "unknown opcode 'FROB'"},
                                         wrong_line{"/*0000*/ VIADD R1, R2, R3", 10, "does not exist on sm_75: sm_90 and later"},
                                         wrong_line{"/*0000*/ IADD3.Y R1, R2, R3, R4", 16, "it takes .X"},
                                         wrong_line{"/*0000*/ IADD3. R1, R2, R3, R4", 15, "follow the dot"},
                                         wrong_line{"/*0000*/ ISETP.AND P0, PT, R1, R2, PT", 10, "comparison"},
                                         wrong_line{"/*0000*/ SHF.U32 R1, R2, R3, R4", 10, "direction"},
                                         wrong_line{"/*0000*/ LDSM.16 R1, [R2]", 10, ".M88"},
                                         wrong_line{"/*0000*/ HMMA.1688 R4, R8, R12, R4", 19, "element type of D"},
                                         wrong_line{"/*0000*/ HMMA.1699.F32 R4, R8, R12, R4", 15, "no shape '1699'"},
                                         wrong_line{"/*0000*/ HMMA.16816.F32 R4, R8, R12, R4", 15, "sm_80 and later"},
                                         wrong_line{"/*0000*/ HMMA.1688.F32.STEP0 R4, R8, R12, R4", 24, "does not take"},
                                         wrong_line{"/*0000*/ HMMA.884.F32.F32.STEP4 R4, R8.ROW, R12.COL, R4", 27, ".STEP0 to .STEP3"},
                                         wrong_line{"/*0000*/ HMMA.884.F16.F16.STEP2 R4, R8.ROW, R12.COL, R4", 27, ".STEP0 to .STEP1"},
                                         wrong_line{"/*0000*/ BMMA.88128.OR.POPC R4, R8.ROW, R12.COL, R4", 21, ".XOR or .AND"}));

INSTANTIATE_TEST_SUITE_P(
    Operands, SyntaxError,
    testing::Values(
        wrong_line{"/*0000*/ IADD3 R1, R2, R3", 10, "3 to 5 source operands"},
        wrong_line{"/*0000*/ IADD3 R1, R2, R3, R4, P0, P1, P2", 10, "found 6"}, wrong_line{"/*0000*/ IADD3", 10, "needs operands"},
        wrong_line{"/*0000*/ EXIT R1, R2", 10, "0 to 1 source operands"},
        wrong_line{"/*0000*/ IADD3 R1, R2, , R4", 24, "operand is missing"},
        wrong_line{"/*0000*/ IADD3 R1, R2, what, R4", 24, "found 'what'"},
        wrong_line{"/*0000*/ IADD3 R1, R2, R3, -", 29, "missing behind '-'"},
        wrong_line{"/*0000*/ IADD3 R1, R2, |, R4", 25, "missing behind '|'"},
        wrong_line{"/*0000*/ IADD3 UR1, R2, R3, R4", 16, "vector register"},
        wrong_line{"/*0000*/ UIADD3 UR1, R2, UR3, UR4", 22, "uniform register"},
        wrong_line{"/*0000*/ HMMA.1688.F32 R4, R8, 0x1, R4", 32, "vector register"},
        wrong_line{"/*0000*/ LDG.E.SYS R0, R4", 24, "an address"}, wrong_line{"/*0000*/ STG.E.SYS [R4], 0x1", 26, "vector register"},
        wrong_line{"/*0000*/ MOV R0, [R4]", 18, "not an address"}, wrong_line{"/*0000*/ LDC R0, [R4]", 18, "constant"},
        wrong_line{"/*0000*/ S2R R0, R1", 18, "special register"}, wrong_line{"/*0000*/ MOV R0, SR_TID.X", 18, "special register"},
        wrong_line{"/*0000*/ S2R R0, SR_FROB", 18, "unknown special register"},
        wrong_line{"/*0000*/ IMMA.8816.S8.S8 R4, R3.COL, R2.COL, RZ", 30, ".ROW"},
        wrong_line{"/*0000*/ MOV R0, R1.FROB", 20, "unknown operand modifier"}, wrong_line{"/*0000*/ MOV R0, 0x100000000", 18, "a number"},
        wrong_line{"/*0000*/ HADD2 R0, R1, 0.5", 24, "two numbers"}, wrong_line{"/*0000*/ BSSY B0, `(.L", 19, "must end in ')'"}));

INSTANTIATE_TEST_SUITE_P(Registers, SyntaxError,
                         testing::Values(wrong_line{"/*0000*/ MOV R255, 0x1", 14, "R0 to R254 and RZ"},
                                         wrong_line{"/*0000*/ UMOV UR63, 0x1", 15, "UR0 to UR62 and URZ"},
                                         wrong_line{"/*0000*/ BSYNC B16", 16, "B0 to B15"},
                                         wrong_line{"/*0000*/ DEPBAR.LE SB6, 0x0", 20, "SB0 to SB5"},
                                         wrong_line{"/*0000*/ HMMA.1688.F32 R6, R8, R12, R4", 24, "multiple of 4"},
                                         wrong_line{"/*0000*/ HMMA.1688.F32 R4, R7, R12, R4", 28, "multiple of 2"},
                                         wrong_line{"/*0000*/ LDG.E.SYS R0, [R5]", 24, "multiple of 2"},
                                         wrong_line{"/*0000*/ ULDC.64 UR5, c[0x0][0x10]", 18, "multiple of 2"},
                                         wrong_line{"/*0000*/ LDG.E.128.SYS R252, [R4]", 24, "takes 4 registers and the last one is R254"},
                                         wrong_line{"/*0000*/ CS2R R254, SRZ", 15, "takes 2 registers"},
                                         wrong_line{"/*0000*/ MOV R0.reuse, R1", 14, "takes no .reuse"},
                                         wrong_line{"/*0000*/ MOV R0, UR1.reuse", 21, "applies to vector registers"}));

INSTANTIATE_TEST_SUITE_P(PredicatesAndValues, SyntaxError,
                         testing::Values(wrong_line{"/*0000*/ ISETP.LT.AND P0, !PT, R4, 0x4, PT", 27, "source 1 of ISETP is a value"},
                                         wrong_line{"/*0000*/ ISETP.LT.AND P0, PT, R4, PT, PT", 35, "source 2 of ISETP is a value"},
                                         wrong_line{"/*0000*/ SEL R0, R1, R2, R3", 26, "source 3 of SEL is a predicate"},
                                         wrong_line{"/*0000*/ PLOP3.LUT P0, PT, P1, R2, P3, 0x80, 0x0", 32, "a predicate"},
                                         wrong_line{"/*0000*/ PLOP3.LUT P0, PT, P1, P2, P3, P4, 0x0", 40, "a value"},
                                         wrong_line{"/*0000*/ LEA.HI R0, R1, R2, P0, 0x5", 29, "a value"},
                                         wrong_line{"/*0000*/ LEA.HI R0, R1, R2, 0x5", 10, "4 to 5 source operands"},
                                         wrong_line{"/*0000*/ LEA.HI.SX32 R0, R1, R2, 0x5, R3", 39, "a predicate"},
                                         wrong_line{"/*0000*/ HMMA.1688.F32 R4, R8, R12, R4, R6", 41, "a predicate"},
                                         wrong_line{"/*0000*/ LDG.E.SYS R0, [R4], R6", 30, "a predicate"},
                                         wrong_line{"/*0000*/ SHFL.IDX PT, R1, P2, 0x1, 0x1f", 27, "a value"},
                                         wrong_line{"/*0000*/ FADD R0, B0, R1", 19, "no convergence barrier"}));

INSTANTIATE_TEST_SUITE_P(Barriers, SyntaxError,
                         testing::Values(wrong_line{"/*0000*/ BAR.SYNC 0x10", 19, "a barrier of the CTA, 0x0 to 0xf"},
                                         wrong_line{"/*0000*/ BAR.SYNC -0x1", 19, "0x0 to 0xf"},
                                         wrong_line{"/*0000*/ BAR.SYNC 0x1, 0x41", 24, "a multiple of 32 up to 1024"},
                                         wrong_line{"/*0000*/ BAR.SYNC 0x1, 0x0", 24, "a multiple of 32 up to 1024"},
                                         wrong_line{"/*0000*/ BAR.SYNC 0x1, 0x420", 24, "a multiple of 32 up to 1024"},
                                         wrong_line{"/*0000*/ BAR.SYNC c[0x0][0x160]", 19, "a barrier"},
                                         wrong_line{"/*0000*/ BAR.SYNC 0x1, c[0x0][0x160]", 24, "a number of threads"},
                                         wrong_line{"/*0000*/ BAR.RED.OR 0x1, 0x40, 0x3", 32, "a predicate"},
                                         wrong_line{"/*0000*/ BAR.ARV 0x1", 10, "the number of threads"}));

INSTANTIATE_TEST_SUITE_P(Addresses, SyntaxError,
                         testing::Values(wrong_line{"/*0000*/ LDS R0, []", 19, "must not be empty"},
                                         wrong_line{"/*0000*/ LDS R0, [R1", 18, "no closing ']'"},
                                         wrong_line{"/*0000*/ LDS R0, [R1+]", 21, "follow the plus"},
                                         wrong_line{"/*0000*/ LDS R0, [R1+R2]", 22, "at most one base"},
                                         wrong_line{"/*0000*/ LDS R0, [R1.X3]", 22, ".X16"},
                                         wrong_line{"/*0000*/ LDS R0, [R1+what]", 22, "an offset"},
                                         wrong_line{"/*0000*/ MOV R0, c[0x20][0x10]", 20, "0x0 to 0x1f"},
                                         wrong_line{"/*0000*/ MOV R0, c[0x0]", 24, "expected '['"},
                                         wrong_line{"/*0000*/ LDG.E R0, desc[R4][R2.64]", 25, "uniform register pair"}));

TEST(SyntaxError, ColumnsCountFromTheGivenOne) {
  try {
    parse_operation("MOV R0, R1.FROB", architecture::sm_75, 100);
    FAIL() << "was accepted";
  } catch (const syntax_error& error) {
    EXPECT_EQ(error.column(), 110U);
  }
}

}  // namespace
}  // namespace tc::isa::syntax_error_test
