// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/instruction_parser.hpp>

namespace tc::isa::fragment_layout_test {
namespace {

mma_operation operation(const std::string& mnemonic, architecture arch = architecture::sm_80) {
  return *mma_of(parse_operation(mnemonic + " R8, R16.ROW, R32.COL, R8", arch));
}

mma_operation plain_operation(const std::string& mnemonic, architecture arch = architecture::sm_80) {
  return *mma_of(parse_operation(mnemonic + " R8, R16, R32, R8", arch));
}

void expect_holder(const fragment_layout& layout, matrix_position at, fragment_element expected) {
  const auto found = layout.holder(at.row, at.column);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->lane, expected.lane);
  EXPECT_EQ(found->reg, expected.reg);
  EXPECT_EQ(found->element, expected.element);
  EXPECT_EQ(layout.position(found->lane, found->reg, found->element), at);
}

// Expected holders follow from the fragment figures of the PTX ISA.
TEST(FragmentLayout, Of16816) {
  const mma_operation mma = plain_operation("HMMA.16816.F32");
  const fragment_layout a(mma, fragment::a), b(mma, fragment::b), c(mma, fragment::c);
  expect_holder(a, {5, 7}, {23, 0, 1});
  expect_holder(a, {13, 10}, {21, 3, 0});
  expect_holder(b, {10, 6}, {25, 1, 0});
  expect_holder(c, {13, 5}, {22, 3, 0});
}

TEST(FragmentLayout, Of4BitIntegers) { expect_holder(fragment_layout(operation("IMMA.8832.S4.S4"), fragment::a), {3, 21}, {14, 0, 5}); }

TEST(FragmentLayout, OfBits) {
  expect_holder(fragment_layout(operation("BMMA.88128.XOR.POPC"), fragment::a), {6, 100}, {27, 0, 4});
  expect_holder(fragment_layout(operation("BMMA.168256.AND.POPC"), fragment::a), {11, 200}, {14, 3, 8});
}

TEST(FragmentLayout, Of8BitIntegers) {
  expect_holder(fragment_layout(operation("IMMA.8816.S8.S8"), fragment::a), {2, 9}, {10, 0, 1});
  expect_holder(fragment_layout(operation("IMMA.16832.S8.S8"), fragment::a), {12, 27}, {18, 3, 3});
}

TEST(FragmentLayout, OfTf32AndF64) {
  expect_holder(fragment_layout(plain_operation("HMMA.1688.F32.TF32"), fragment::a), {9, 6}, {6, 3, 0});
  expect_holder(fragment_layout(plain_operation("DMMA.884"), fragment::a), {3, 2}, {14, 0, 0});
  expect_holder(fragment_layout(plain_operation("DMMA.884"), fragment::c), {3, 5}, {14, 2, 0});
}

class EveryShape : public testing::TestWithParam<const char*> {};

/// Each matrix element is in exactly one place, and asking for its holder leads back there.
TEST_P(EveryShape, HoldsEachElementOnce) {
  const mma_operation mma = *mma_of(parse_operation(GetParam(), architecture::sm_89));
  for (const fragment which : {fragment::a, fragment::b, fragment::c, fragment::d}) {
    const fragment_layout layout(mma, which);
    std::set<std::pair<unsigned, unsigned>> seen;
    for (unsigned lane = 0; lane < fragment_layout::lanes; ++lane) {
      for (unsigned reg = 0; reg < layout.registers(); reg += layout.registers_per_element()) {
        for (unsigned element = 0; element < layout.elements_per_register(); ++element) {
          const matrix_position at = layout.position(lane, reg, element);
          ASSERT_LT(at.row, layout.rows());
          ASSERT_LT(at.column, layout.columns());
          EXPECT_TRUE(seen.emplace(at.row, at.column).second) << at.row << ',' << at.column << " is held twice";
          EXPECT_TRUE(layout.holder(at.row, at.column) == (fragment_element{lane, reg, element}));
        }
      }
    }
    EXPECT_EQ(seen.size(), layout.rows() * layout.columns());
  }
}

INSTANTIATE_TEST_SUITE_P(
    FragmentLayout, EveryShape,
    testing::Values("HMMA.1688.F32 R8, R16, R32, R8", "HMMA.1688.F16 R8, R16, R32, R8", "HMMA.16816.F32 R8, R16, R32, R8",
                    "HMMA.16816.F16 R8, R16, R32, R8", "HMMA.16816.F32.BF16 R8, R16, R32, R8", "HMMA.1684.F32.TF32 R8, R16, R32, R8",
                    "HMMA.1688.F32.TF32 R8, R16, R32, R8", "IMMA.8816.S8.S8 R8, R16, R32, R8", "IMMA.16816.S8.S8 R8, R16, R32, R8",
                    "IMMA.16832.S8.S8 R8, R16, R32, R8", "IMMA.8832.S4.S4 R8, R16, R32, R8", "IMMA.16832.S4.S4 R8, R16, R32, R8",
                    "IMMA.16864.S4.S4 R8, R16, R32, R8", "BMMA.88128.XOR.POPC R8, R16, R32, R8", "BMMA.168128.XOR.POPC R8, R16, R32, R8",
                    "BMMA.168256.XOR.POPC R8, R16, R32, R8", "DMMA.884 R8, R16, R32, R8", "QMMA.16832.F32.E4M3.E4M3 R8, R16, R32, R8"));

TEST(FragmentLayout, OfHopperF64HoldsEachElementOnce) {
  const fragment_layout a(plain_operation("DMMA.16816", architecture::sm_90), fragment::a);
  EXPECT_EQ(a.registers(), 16U);
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned k = 0; k < 16; ++k) EXPECT_TRUE(a.holder(row, k)) << row << ',' << k;
  }
}

mma_operation volta(const std::string& accumulator, unsigned step, const std::string& layouts) {
  return *mma_of(parse_operation("HMMA.884." + accumulator + "." + accumulator + ".STEP" + std::to_string(step) + " R8, R16." +
                                     layouts.substr(0, 3) + ", R32." + layouts.substr(4) + ", R8",
                                 architecture::sm_70));
}

/// Raihan et al., ISPASS 2019: step p with f32 computes two rows by four columns in the four lanes of a threadgroup.
TEST(FragmentLayout, OfVoltaStepsCoverTheQuadPair) {
  for (const std::string accumulator : {"F32", "F16"}) {
    std::map<std::tuple<unsigned, unsigned, unsigned>, unsigned> held;
    const unsigned steps = accumulator == "F32" ? 4 : 2;
    for (unsigned step = 0; step < steps; ++step) {
      const fragment_layout d(volta(accumulator, step, "ROW,COL"), fragment::d);
      for (unsigned quad_pair = 0; quad_pair < 4; ++quad_pair) {
        for (unsigned row = 0; row < 8; ++row) {
          for (unsigned column = 0; column < 8; ++column) {
            if (d.holder(row, column, quad_pair)) ++held[{quad_pair, row, column}];
          }
        }
      }
    }
    EXPECT_EQ(held.size(), 4U * 8 * 8);
    for (const auto& [where, count] : held) EXPECT_EQ(count, 1U);
  }
  const fragment_layout step_1(volta("F32", 1, "ROW,COL"), fragment::d);
  EXPECT_EQ(step_1.position(0, 0, 0), (matrix_position{2, 0}));
  EXPECT_EQ(step_1.position(19, 1, 0), (matrix_position{7, 3}));
}

TEST(FragmentLayout, OfVoltaOperandsFollowTheLaneLayout) {
  const fragment_layout a_row(volta("F32", 0, "ROW,COL"), fragment::a), a_column(volta("F32", 0, "COL,ROW"), fragment::a);
  EXPECT_EQ(a_row.position(17, 1, 1), (matrix_position{5, 3}));
  EXPECT_EQ(a_column.position(17, 1, 1), (matrix_position{7, 1}));
  const fragment_layout b_column(volta("F32", 0, "ROW,COL"), fragment::b), b_row(volta("F32", 0, "COL,ROW"), fragment::b);
  EXPECT_EQ(b_column.position(17, 1, 1), (matrix_position{3, 5}));
  EXPECT_EQ(b_row.position(17, 1, 1), (matrix_position{1, 7}));
  EXPECT_TRUE(a_row.holder(5, 3, 0) == (fragment_element{17, 1, 1}));
  EXPECT_TRUE(a_row.holder(5, 3, 2) == (fragment_element{25, 1, 1}));
}

}  // namespace
}  // namespace tc::isa::fragment_layout_test
