// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <stdexcept>
#include <tuple>

#include <gtest/gtest.h>

#include <tc/isa/register_mma.hpp>
#include <tc/isa/wmma_sets.hpp>

namespace tc::isa::wmma_sets_test {
namespace {

using registers = std::vector<unsigned>;

std::vector<wmma_set> sets_of(const std::string& operation, architecture arch) {
  return wmma_sets(parse_register_mma(operation, arch).mma, arch);
}

void expect_set(const wmma_set& set, const wmma_set& expected) {
  const auto tied = [](const wmma_set& s) {
    return std::tie(s.first_row, s.rows, s.first_column, s.columns, s.first_k, s.ks, s.a, s.b, s.c, s.transposed);
  };
  EXPECT_EQ(tied(set), tied(expected));
}

// Expected sets were decoded from what ptxas compiles.
TEST(WmmaSets, OfHalfPrecisionOnTuring) {
  const auto sets = sets_of("wmma.m32n8k16.f16.f32", architecture::sm_75);
  ASSERT_EQ(sets.size(), 4U);
  expect_set(sets[1], {16, 16, 0, 8, 0, 8, {4, 5}, {0}, {4, 5, 6, 7}, false});
  expect_set(sets[2], {0, 16, 0, 8, 8, 8, {2, 3}, {1}, {0, 1, 2, 3}, false});
  EXPECT_EQ(sets[2].c, sets[0].c);
  const auto square = sets_of("wmma.m16n16k16.f16.f16", architecture::sm_75);
  ASSERT_EQ(square.size(), 4U);
  expect_set(square[1], {0, 16, 8, 8, 0, 8, {0, 1}, {2}, {2, 3}, false});
  expect_set(square[3], {0, 16, 8, 8, 8, 8, {2, 3}, {3}, {2, 3}, false});
}

TEST(WmmaSets, OfAFlatShapeAreTransposed) {
  const auto sets = sets_of("wmma.m8n32k16.f16.f32", architecture::sm_75);
  ASSERT_EQ(sets.size(), 4U);
  expect_set(sets[1], {0, 8, 16, 16, 0, 8, {0}, {4, 5}, {4, 5, 6, 7}, true});
  expect_set(sets[2], {0, 8, 0, 16, 8, 8, {1}, {2, 3}, {0, 1, 2, 3}, true});
}

TEST(WmmaSets, OfIntegersAreIndependent) {
  const auto sets = sets_of("wmma.m16n16k16.s8.s32", architecture::sm_75);
  ASSERT_EQ(sets.size(), 4U);
  expect_set(sets[1], {8, 8, 0, 8, 0, 16, {1}, {0}, {2, 3}, false});
  expect_set(sets[2], {0, 8, 8, 8, 0, 16, {0}, {1}, {4, 5}, false});
  EXPECT_EQ(sets_of("wmma.m8n8k32.s4.s32", architecture::sm_75).size(), 1U);
}

TEST(WmmaSets, OfAmpereTakeAllOfK) {
  const auto sets = sets_of("wmma.m16n16k16.bf16.f32", architecture::sm_80);
  ASSERT_EQ(sets.size(), 2U);
  expect_set(sets[1], {0, 16, 8, 8, 0, 16, {0, 1, 2, 3}, {2, 3}, {4, 5, 6, 7}, false});
  const auto flat = sets_of("wmma.m8n32k16.s8.s32", architecture::sm_80);
  ASSERT_EQ(flat.size(), 2U);
  expect_set(flat[1], {0, 8, 16, 16, 0, 16, {0}, {2, 3}, {4, 5, 6, 7}, true});
}

TEST(WmmaSets, OfTf32HaveFourOfK) {
  const auto sets = sets_of("wmma.m16n16k8.tf32.f32", architecture::sm_90);
  ASSERT_EQ(sets.size(), 4U);
  expect_set(sets[1], {0, 16, 8, 8, 0, 4, {0, 1}, {2}, {4, 5, 6, 7}, false});
  expect_set(sets[2], {0, 16, 0, 8, 4, 4, {2, 3}, {1}, {0, 1, 2, 3}, false});
}

TEST(WmmaSets, CoverEachProductOnce) {
  for (const architecture arch : {architecture::sm_75, architecture::sm_80}) {
    for (const std::string& name : register_mma_names(arch)) {
      if (name.rfind("wmma.", 0) != 0) continue;
      SCOPED_TRACE(name);
      const mma_operation mma = parse_register_mma(name, arch).mma;
      std::set<std::tuple<unsigned, unsigned, unsigned>> blocks;
      unsigned products = 0;
      for (const wmma_set& set : wmma_sets(mma, arch)) {
        EXPECT_TRUE(blocks.emplace(set.first_row, set.first_column, set.first_k).second);
        products += set.rows * set.columns * set.ks;
      }
      EXPECT_EQ(products, unsigned{mma.m} * mma.n * mma.k);
    }
  }
}

TEST(WmmaSets, AreNotGuessed) {
  EXPECT_THROW(sets_of("wmma.m16n16k16.f16.f32", architecture::sm_70), std::invalid_argument);
  EXPECT_THROW(sets_of("wmma.m8n8k32.s4.s32", architecture::sm_90), std::invalid_argument);
  EXPECT_THROW(sets_of("wmma.m8n8k128.b1.s32.xor", architecture::sm_90), std::invalid_argument);
}

}  // namespace
}  // namespace tc::isa::wmma_sets_test
