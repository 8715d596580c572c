// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <tc/isa/register_mma.hpp>

namespace tc::isa::register_mma_test {
namespace {

constexpr fragment all_fragments[] = {fragment::a, fragment::b, fragment::c, fragment::d};

std::vector<architecture> architectures() {
  std::vector<architecture> all;
  for (const architecture_info& row : all_architectures()) all.push_back(row.arch);
  return all;
}

std::string name_of(const std::string& text, architecture arch = architecture::sm_90) { return parse_register_mma(text, arch).name; }

TEST(RegisterMma, IsNamedAsInPtxOrInShort) {
  const std::string full = "mma.sync.m16n8k16.row.col.f32.f16.f16.f32";
  EXPECT_EQ(name_of("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32"), full);
  EXPECT_EQ(name_of("mma.sync.m16n8k16.f32.f16.f16.f32"), full);
  EXPECT_EQ(name_of("m16n8k16.f32.f16.f16.f32"), full);
  EXPECT_EQ(name_of("  m16n8k16.f32.f16.f16.f32 "), full);
  EXPECT_EQ(name_of("m8n8k4.col.row.f32.f16.f16.f16"), "mma.sync.m8n8k4.col.row.f32.f16.f16.f16");
  EXPECT_EQ(name_of("m16n8k32.s32.u8.s8.s32.satfinite"), "mma.sync.m16n8k32.row.col.satfinite.s32.u8.s8.s32");
  EXPECT_EQ(name_of("m8n8k128.s32.b1.b1.s32.and.popc"), "mma.sync.m8n8k128.row.col.s32.b1.b1.s32.and.popc");
  EXPECT_EQ(name_of("m16n8k32.f16.e4m3.e5m2.f16"), "mma.sync.m16n8k32.row.col.f16.e4m3.e5m2.f16");
}

TEST(RegisterMma, OfWmmaHasTwoOrFourTypes) {
  EXPECT_EQ(name_of("wmma.mma.sync.aligned.col.row.m16n16k16.f32.f16"), "wmma.m16n16k16.col.row.f32.f16.f16.f16");
  EXPECT_EQ(name_of("wmma.m16n16k16.f16.f32"), "wmma.m16n16k16.row.col.f32.f16.f16.f32");
  EXPECT_EQ(name_of("wmma.m16n16k16.bf16.f32"), "wmma.m16n16k16.row.col.f32.bf16.bf16.f32");
  EXPECT_EQ(name_of("wmma.mma.sync.aligned.row.col.m16n16k16.s32.u8.u8.s32"), "wmma.m16n16k16.row.col.s32.u8.u8.s32");
  EXPECT_EQ(name_of("wmma.mma.xor.popc.sync.aligned.row.col.m8n8k128.s32.b1.b1.s32"), "wmma.m8n8k128.row.col.s32.b1.b1.s32.xor.popc");
}

TEST(RegisterMma, FullNamesNameThemselves) {
  for (const architecture arch : architectures()) {
    for (const std::string& name : register_mma_names(arch)) {
      const std::string full = name_of(name, arch);
      EXPECT_EQ(name_of(full, arch), full) << name;
    }
  }
}

TEST(RegisterMma, MayBeAnInstruction) {
  const register_mma hmma = parse_register_mma("HMMA.16816.F32", architecture::sm_80);
  const register_mma ptx = parse_register_mma("m16n8k16.f32.f16.f16.f32", architecture::sm_80);
  EXPECT_EQ(hmma.name, "HMMA.16816.F32");
  EXPECT_EQ(hmma.layout(fragment::a).position(21, 3, 0), ptx.layout(fragment::a).position(21, 3, 0));
  const register_mma step = parse_register_mma("HMMA.884.F32.F32.STEP2 R12, R2.COL, R4.ROW, R12", architecture::sm_70);
  EXPECT_TRUE(step.mma.a_column);
  EXPECT_FALSE(step.mma.b_column);
  EXPECT_EQ(step.layout(fragment::d).position(0, 0, 0), (matrix_position{0, 4}));
  const register_mma alone = parse_register_mma("HMMA.884.F32.F32.STEP2", architecture::sm_70);
  EXPECT_FALSE(alone.mma.a_column);
  EXPECT_TRUE(alone.mma.b_column);
}

struct mistake {
  const char* text;
  unsigned column;
  const char* words;  ///< that the message must have
  architecture arch = architecture::sm_90;
};

class Mistake : public testing::TestWithParam<mistake> {};

TEST_P(Mistake, IsNamedWithItsColumn) {
  try {
    parse_register_mma(GetParam().text, GetParam().arch);
    FAIL() << "accepted";
  } catch (const syntax_error& error) {
    EXPECT_EQ(error.column(), GetParam().column);
    EXPECT_NE(std::string(error.what()).find(GetParam().words), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    RegisterMma, Mistake,
    testing::Values(mistake{"", 1, "expected an operation, such as mma.sync.m16n8k16"}, mistake{"mma.sync.", 10, "must follow the dot"},
                    mistake{"mma", 4, "expected a shape"}, mistake{"mma.sync.f32.f16.f16.f32", 25, "has no shape"},
                    mistake{"m16n8k15.f32.f16.f16.f32", 1, "mma.sync has no shape 'm16n8k15'; it has m8n8k4, m16n8k8"},
                    mistake{"m16n16k16.f32.f16.f16.f32", 1, "wmma has this shape, write wmma.m16n16k16"},
                    mistake{"wmma.m16n8k16.f16.f32", 6, "mma.sync has this shape"},
                    mistake{"m16n8k16.f32.f17.f16.f32", 14, "'f17' is no part of an operation's name"},
                    mistake{"m16n8k8.s32.s8.s8.s32", 13, "A and B may be f16, bf16, tf32, f64"},
                    mistake{"m16n8k16", 9, "such as .f32.f16.f16.f32; found 0"}, mistake{"m16n8k16.f16.f32", 10, "found 2"},
                    mistake{"wmma.m16n16k16.f32", 16, "or those of A and D, such as .f16.f32"},
                    mistake{"m16n8k16.f32.f16.bf16.f32", 18, "goes with B of f16"},
                    mistake{"wmma.m16n16k16.s32.s8.u8.s32", 23, "the same element type"},
                    mistake{"m16n8k16.s32.f16.f16.s32", 10, "accumulates in f32, f16, found 's32'"},
                    mistake{"m16n8k16.f16.f16.f16.f32", 22, "C and D of mma.sync.m16n8k16 have the same"},
                    mistake{"m8n8k4.f16.f16.f16.f32", 8, "D of mma.sync.m8n8k4 is f32 if C is f32"},
                    mistake{"m16n8k16.row.f32.f16.f16.f32", 10, "such as .row.col, or neither"},
                    mistake{"m16n8k16.col.col.f32.f16.f16.f32", 10, "is always .row"},
                    mistake{"m16n8k16.row.row.f32.f16.f16.f32", 14, "is always .col"},
                    mistake{"m8n8k4.row.row.f64.f64.f64.f64", 12, "is always .col"},
                    mistake{"m16n8k16.satfinite.f32.f16.f16.f32", 10, "4-bit and 8-bit integers"},
                    mistake{"m16n8k16.f32.f16.f16.f32.xor", 26, "is for elements of b1"},
                    mistake{"m16n8k16.m16n8k8.f32.f16.f16.f32", 10, "a name has only one of them"},
                    mistake{"wgmma.m64n8k16.f32.f16.f16", 1, "operations on registers are mma.sync and wmma"},
                    mistake{"m16n8k16.f32.f16.f16.f32", 1, "does not exist on sm_75: sm_80 and later", architecture::sm_75},
                    mistake{"m8n8k128.s32.b1.b1.s32.and", 1, "m8n8k128.and of b1 does not exist on sm_75: sm_80", architecture::sm_75},
                    mistake{"m16n8k32.f32.e4m3.e4m3.f32", 1, "sm_89 and later", architecture::sm_86},
                    mistake{"HMMA.884.F32.F32.STEP0", 6, "does not exist on sm_90: sm_70 to sm_75"},
                    mistake{"HMMA.16817.F32", 6, "it has 884, 1688, 16816"}, mistake{"FADD", 1, "'FADD' multiplies no matrices"},
                    mistake{"FADD R1, R2, R3", 1, "multiplies no matrices"}));

/// How many places hold each element of the matrices of a layout, all of them by asking every lane.
std::map<std::tuple<unsigned, unsigned, unsigned>, unsigned> count_holders(const fragment_layout& layout) {
  std::map<std::tuple<unsigned, unsigned, unsigned>, unsigned> held;
  for (unsigned lane = 0; lane < fragment_layout::lanes; ++lane) {
    for (unsigned reg = 0; reg < layout.registers(); reg += layout.registers_per_element()) {
      for (unsigned element = 0; element < layout.elements_per_register(); ++element) {
        const matrix_position at = layout.position(lane, reg, element);
        ++held[{at.matrix, at.row, at.column}];
        const auto holders = layout.holders(at.row, at.column, at.matrix);
        EXPECT_EQ(std::count(holders.begin(), holders.end(), fragment_element{lane, reg, element}), 1)
            << "lane " << lane << " register " << reg << " element " << element;
      }
    }
  }
  return held;
}

/// All elements are held, each by the same number of places, which both directions of the layout agree on. Returns the number.
std::size_t expect_all_held(const fragment_layout& layout) {
  const auto held = count_holders(layout);
  const std::size_t size = std::size_t{layout.matrices()} * layout.rows() * layout.columns();
  EXPECT_EQ(held.size(), size);
  const std::size_t copies = std::size_t{fragment_layout::lanes} * layout.elements() / size;
  for (const auto& [at, count] : held) {
    const auto [matrix, row, column] = at;
    EXPECT_EQ(count, copies) << row << ',' << column;
    EXPECT_EQ(layout.holders(row, column, matrix).size(), copies) << row << ',' << column;
    EXPECT_LT(row, layout.rows());
    EXPECT_LT(column, layout.columns());
    EXPECT_LT(matrix, layout.matrices());
  }
  return copies;
}

/// Copies of each element that PTX fragments are documented to have; all others have one.
std::size_t documented_copies(const std::string& name, fragment which) {
  if (name.rfind("wmma.", 0) != 0 || name.find(".f16.f") == std::string::npos || which == fragment::c || which == fragment::d) return 1;
  if (name.find("m16n16k16") != std::string::npos) return 2;
  return name.find("m8n32k16") != std::string::npos ? (which == fragment::a ? 4 : 1) : (which == fragment::b ? 4 : 1);
}

class EveryOperation : public testing::TestWithParam<architecture> {};

TEST_P(EveryOperation, HoldsItsMatrices) {
  const auto names = register_mma_names(GetParam());
  EXPECT_GE(names.size(), 4U);
  for (const std::string& name : names) {
    const bool has_orders = name.rfind("mma.sync.m8n8k4.f", 0) == 0 && name.find("f64") == std::string::npos;
    const bool is_f16_wmma = name.rfind("wmma.", 0) == 0 && name.find(".f16.f") != std::string::npos;
    for (const std::string orders : {".row.col", ".row.row", ".col.row", ".col.col"}) {
      if (!has_orders && !is_f16_wmma && orders != ".row.col") continue;
      SCOPED_TRACE(name + orders);
      const register_mma operation = parse_register_mma(name + orders, GetParam());
      for (const fragment which : all_fragments) {
        EXPECT_EQ(expect_all_held(operation.layout(which)), documented_copies(name, which));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RegisterMma, EveryOperation, testing::ValuesIn(architectures()),
                         [](const auto& arch) { return std::string(name(arch.param)); });

/// Two lanes hold each element of A and B on Volta; from Turing on it is one lane, also where registers repeat.
TEST(RegisterMma, CopiesAreInOneLaneButOnVolta) {
  for (const architecture arch : {architecture::sm_70, architecture::sm_75, architecture::sm_90}) {
    const register_mma operation = parse_register_mma("wmma.m16n16k16.f16.f32", arch);
    for (const fragment which : {fragment::a, fragment::b}) {
      const auto holders = operation.layout(which).holders(3, 9);
      ASSERT_EQ(holders.size(), 2U);
      EXPECT_EQ(holders[0].lane == holders[1].lane, arch != architecture::sm_70);
    }
  }
}

/// mma.sync.m8n8k4 of half precision, figures of the PTX ISA: four matrices, one for each quad pair.
TEST(RegisterMma, OfQuadPairs) {
  const register_mma row_col = parse_register_mma("m8n8k4.row.col.f32.f16.f16.f32", architecture::sm_70);
  const fragment_layout& d = row_col.layout(fragment::d);
  EXPECT_EQ(d.matrices(), 4U);
  EXPECT_EQ(d.registers(), 8U);
  EXPECT_EQ(d.position(4 + 16 + 3, 6, 0), (matrix_position{7, 6, 1}));
  EXPECT_EQ(d.holders(7, 6, 1), (std::vector<fragment_element>{{23, 6, 0}}));
  EXPECT_EQ(row_col.layout(fragment::a).position(30, 1, 1), (matrix_position{6, 3, 3}));
  EXPECT_EQ(row_col.layout(fragment::b).position(30, 1, 1), (matrix_position{3, 6, 3}));
  const register_mma col_row = parse_register_mma("m8n8k4.col.row.f16.f16.f16.f16", architecture::sm_70);
  EXPECT_EQ(col_row.layout(fragment::a).position(30, 1, 1), (matrix_position{7, 2, 3}));
  EXPECT_EQ(col_row.layout(fragment::b).position(30, 1, 1), (matrix_position{2, 7, 3}));
  EXPECT_EQ(col_row.layout(fragment::d).position(30, 3, 1), (matrix_position{6, 7, 3}));
}

}  // namespace
}  // namespace tc::isa::register_mma_test
