// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::mma_operation_test {
namespace {

using type = element_type;

/// A mnemonic and what the PTX ISA says about the shape: m, n, k, element types of A, B and C, registers of a lane.
struct expected_operation {
  const char* text;
  architecture arch;
  unsigned m, n, k;
  type a, b, c;
  unsigned a_registers, b_registers, c_registers;
};

std::ostream& operator<<(std::ostream& out, const expected_operation& e) { return out << e.text; }

class MmaOperation : public testing::TestWithParam<expected_operation> {};

TEST_P(MmaOperation, HasItsShapeTypesAndRegisters) {
  const auto& expected = GetParam();
  const instruction i = parse_operation(expected.text, expected.arch);
  ASSERT_NE(mma_of(i), nullptr);
  const mma_operation& mma = *mma_of(i);
  EXPECT_EQ(mma.m, expected.m);
  EXPECT_EQ(mma.n, expected.n);
  EXPECT_EQ(mma.k, expected.k);
  EXPECT_EQ(mma.a, expected.a);
  EXPECT_EQ(mma.b, expected.b);
  EXPECT_EQ(mma.c, expected.c);
  EXPECT_EQ(mma.d, expected.c);
  EXPECT_EQ(mma.a_registers(), expected.a_registers);
  EXPECT_EQ(mma.b_registers(), expected.b_registers);
  EXPECT_EQ(mma.c_registers(), expected.c_registers);
  EXPECT_EQ(mma.d_registers(), expected.c_registers);
}

constexpr auto sm_70 = architecture::sm_70, sm_75 = architecture::sm_75, sm_80 = architecture::sm_80, sm_89 = architecture::sm_89,
               sm_90 = architecture::sm_90;

INSTANTIATE_TEST_SUITE_P(
    Shapes, MmaOperation,
    testing::Values(
        expected_operation{"HMMA.884.F32.F32.STEP2 R12, R2.ROW, R4.COL, R12", sm_70, 8, 8, 4, type::f16, type::f16, type::f32, 2, 2, 2},
        expected_operation{"HMMA.884.F16.F16.STEP1 R12, R2.ROW, R4.ROW, R12", sm_75, 8, 8, 4, type::f16, type::f16, type::f16, 2, 2, 2},
        expected_operation{"HMMA.1688.F32 R4, R8, R12, R4", sm_75, 16, 8, 8, type::f16, type::f16, type::f32, 2, 1, 4},
        expected_operation{"HMMA.1688.F16 R4, R8, R12, R4", sm_75, 16, 8, 8, type::f16, type::f16, type::f16, 2, 1, 2},
        expected_operation{"HMMA.1688.F32.BF16 R4, R8, R12, R4", sm_80, 16, 8, 8, type::bf16, type::bf16, type::f32, 2, 1, 4},
        expected_operation{"HMMA.16816.F32 R4, R8, R12, R4", sm_80, 16, 8, 16, type::f16, type::f16, type::f32, 4, 2, 4},
        expected_operation{"HMMA.16816.F16 R4, R8, R12, R4", sm_90, 16, 8, 16, type::f16, type::f16, type::f16, 4, 2, 2},
        expected_operation{"HMMA.16816.F32.BF16 R4, R8, R12, R4", sm_90, 16, 8, 16, type::bf16, type::bf16, type::f32, 4, 2, 4},
        expected_operation{"HMMA.1684.F32.TF32 R4, R8, R12, R4", sm_80, 16, 8, 4, type::tf32, type::tf32, type::f32, 2, 1, 4},
        expected_operation{"HMMA.1688.F32.TF32 R4, R8, R12, R4", sm_80, 16, 8, 8, type::tf32, type::tf32, type::f32, 4, 2, 4},
        expected_operation{"IMMA.8816.S8.U8 R4, R8.ROW, R12.COL, R4", sm_75, 8, 8, 16, type::s8, type::u8, type::s32, 1, 1, 2},
        expected_operation{"IMMA.16816.S8.S8 R4, R8.ROW, R12.COL, R4", sm_80, 16, 8, 16, type::s8, type::s8, type::s32, 2, 1, 4},
        expected_operation{"IMMA.16832.U8.U8 R4, R8.ROW, R12.COL, R4", sm_90, 16, 8, 32, type::u8, type::u8, type::s32, 4, 2, 4},
        expected_operation{"IMMA.8832.S4.S4 R4, R8.ROW, R12.COL, R4", sm_75, 8, 8, 32, type::s4, type::s4, type::s32, 1, 1, 2},
        expected_operation{"IMMA.16832.U4.S4 R4, R8.ROW, R12.COL, R4", sm_80, 16, 8, 32, type::u4, type::s4, type::s32, 2, 1, 4},
        expected_operation{"IMMA.16864.S4.S4 R4, R8.ROW, R12.COL, R4", sm_89, 16, 8, 64, type::s4, type::s4, type::s32, 4, 2, 4},
        expected_operation{"BMMA.88128.XOR.POPC R4, R8.ROW, R12.COL, R4", sm_75, 8, 8, 128, type::b1, type::b1, type::s32, 1, 1, 2},
        expected_operation{"BMMA.168128.AND.POPC R4, R8.ROW, R12.COL, R4", sm_90, 16, 8, 128, type::b1, type::b1, type::s32, 2, 1, 4},
        expected_operation{"BMMA.168256.XOR.POPC R4, R8.ROW, R12.COL, R4", sm_80, 16, 8, 256, type::b1, type::b1, type::s32, 4, 2, 4},
        expected_operation{"DMMA.884 R4, R8, R12, R4", sm_80, 8, 8, 4, type::f64, type::f64, type::f64, 2, 2, 4},
        expected_operation{"DMMA.8x8x4 R4, R8, R12, R4", sm_90, 8, 8, 4, type::f64, type::f64, type::f64, 2, 2, 4},
        expected_operation{"DMMA.16816 R8, R16, R32, R8", sm_90, 16, 8, 16, type::f64, type::f64, type::f64, 16, 8, 8},
        expected_operation{"QMMA.16832.F32.E4M3.E5M2 R4, R8, R12, R4", sm_89, 16, 8, 32, type::e4m3, type::e5m2, type::f32, 4, 2, 4}));

TEST(MmaOperation, KeepsWhatTheSuffixesSay) {
  EXPECT_TRUE(mma_of(parse_operation("IMMA.8816.S8.S8.SAT R4, R8.ROW, R12.COL, R4", sm_75))->saturate);
  EXPECT_FALSE(mma_of(parse_operation("IMMA.8816.S8.S8 R4, R8.ROW, R12.COL, R4", sm_75))->saturate);
  EXPECT_EQ(mma_of(parse_operation("BMMA.88128.AND.POPC R4, R8.ROW, R12.COL, R4", sm_80))->combine, bit_operation::conjunction);
  EXPECT_EQ(mma_of(parse_operation("BMMA.88128.XOR.POPC R4, R8.ROW, R12.COL, R4", sm_80))->combine, bit_operation::exclusive_or);
  EXPECT_EQ(mma_of(parse_operation("FFMA R0, R1, R2, R3", sm_80)), nullptr);
}

TEST(MmaOperation, OfVoltaHasStepsAndLaneLayouts) {
  const mma_operation f32 = *mma_of(parse_operation("HMMA.884.F32.F32.STEP3 R12, R2.COL, R4.ROW, R12", sm_70));
  EXPECT_EQ(f32.step, 3);
  EXPECT_EQ(f32.steps, 4);
  EXPECT_EQ(f32.instances, 4);
  EXPECT_TRUE(f32.a_column);
  EXPECT_FALSE(f32.b_column);
  const mma_operation f16 = *mma_of(parse_operation("HMMA.884.F16.F16.STEP0 R12, R2.reuse.ROW, R4.reuse.COL, R12", sm_70));
  EXPECT_EQ(f16.steps, 2);
  EXPECT_FALSE(f16.a_column);
  EXPECT_TRUE(f16.b_column);
  const mma_operation mixed = *mma_of(parse_operation("HMMA.884.F32.F16.STEP3 R10, R6.ROW, R4.COL, R8", sm_70));
  EXPECT_EQ(mixed.c, type::f16);
  EXPECT_EQ(mixed.d, type::f32);
  EXPECT_EQ(mixed.steps, 4);
  EXPECT_EQ(mixed.c_registers(), 2U) << "a pair for two steps";
}

/// Operations that an architecture does not have.
TEST(MmaOperation, ExistsOnlyWhereTheHardwareHasIt) {
  EXPECT_THROW(parse_operation("HMMA.1688.F32 R4, R8, R12, R4", sm_70), syntax_error);
  EXPECT_THROW(parse_operation("HMMA.884.F32.F32.STEP0 R4, R8.ROW, R12.COL, R4", sm_80), syntax_error);
  EXPECT_THROW(parse_operation("HMMA.884.F16.F32.STEP0 R4, R8.ROW, R12.COL, R4", sm_70), syntax_error);
  EXPECT_THROW(parse_operation("HMMA.16816.F32 R4, R8, R12, R4", sm_75), syntax_error);
  EXPECT_THROW(parse_operation("HMMA.1688.F32.BF16 R4, R8, R12, R4", sm_75), syntax_error);
  EXPECT_THROW(parse_operation("IMMA.8832.S4.S4 R4, R8.ROW, R12.COL, R4", sm_90), syntax_error);
  EXPECT_THROW(parse_operation("BMMA.88128.AND.POPC R4, R8.ROW, R12.COL, R4", sm_75), syntax_error);
  EXPECT_THROW(parse_operation("BMMA.88128.XOR.POPC R4, R8.ROW, R12.COL, R4", sm_90), syntax_error);
  EXPECT_THROW(parse_operation("DMMA.884 R4, R8, R12, R4", sm_75), syntax_error);
  EXPECT_THROW(parse_operation("DMMA.16816 R8, R16, R32, R8", sm_80), syntax_error);
  EXPECT_THROW(parse_operation("QMMA.16832.F32.E4M3.E4M3 R4, R8, R12, R4", sm_90), syntax_error);
}

}  // namespace
}  // namespace tc::isa::mma_operation_test
