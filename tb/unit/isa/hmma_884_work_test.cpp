// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <tuple>

#include <gtest/gtest.h>

#include <tc/isa/hmma_884_work.hpp>
#include <tc/isa/register_mma.hpp>

namespace tc::isa::hmma_884_work_test {
namespace {

constexpr element_type f32 = element_type::f32, f16 = element_type::f16;

void expect_work(const hmma_884_work& work, const hmma_884_work& expected) {
  const auto tied = [](const hmma_884_work& w) {
    return std::tie(w.first_row, w.rows, w.first_column, w.columns, w.first_k, w.ks, w.b_threadgroup, w.a_register, w.b_register,
                    w.d_register);
  };
  EXPECT_EQ(tied(work), tied(expected));
}

// Raihan et al., ISPASS 2019, tables II and III.
TEST(Hmma884Work, OfThreadgroups) {
  expect_work(work_of_hmma_884(f32, 2, 1, 0), {2, 2, 0, 4, 8, 4, 0, 4, 4, 2});
  expect_work(work_of_hmma_884(f32, 0, 2, 5), {12, 2, 4, 4, 0, 4, 5, 0, 0, 4});
  expect_work(work_of_hmma_884(f32, 3, 3, 2), {2, 2, 12, 4, 12, 4, 6, 6, 6, 6});
  expect_work(work_of_hmma_884(f16, 1, 1, 7), {12, 4, 12, 4, 4, 4, 7, 2, 2, 2});
}

/// Whether a lane of the threadgroup holds the element in the pair of registers.
bool holds(const fragment_layout& layout, unsigned threadgroup, unsigned first_register, unsigned row, unsigned column) {
  for (const fragment_element& at : layout.holders(row, column)) {
    if (at.lane / 4 == threadgroup && (at.reg == first_register || at.reg == first_register + 1)) return true;
  }
  return false;
}

class Hmma884WorkOf : public testing::TestWithParam<std::tuple<element_type, std::string>> {};

/// The sets and steps multiply each pair of elements of a 16x16x16 once; what a threadgroup takes is where the layouts of the wmma have it,
/// and what it computes is in the registers that the step writes.
TEST_P(Hmma884WorkOf, CoversTheWmmaFromItsFragments) {
  const auto [sum, orders] = GetParam();
  const register_mma wmma = parse_register_mma("wmma.m16n16k16." + orders + ".f16." + std::string(name(sum)), architecture::sm_70);
  std::set<std::tuple<unsigned, unsigned, unsigned>> products;
  for (unsigned set = 0; set < hmma_884_sets; ++set) {
    for (unsigned step = 0; step < hmma_884_steps(sum); ++step) {
      for (unsigned threadgroup = 0; threadgroup < 8; ++threadgroup) {
        const hmma_884_work work = work_of_hmma_884(sum, set, step, threadgroup);
        EXPECT_EQ(work.b_threadgroup % 4, threadgroup % 4) << "B comes from the octet";
        for (unsigned row = work.first_row; row < work.first_row + work.rows; ++row) {
          for (unsigned column = work.first_column; column < work.first_column + work.columns; ++column) {
            EXPECT_TRUE(holds(wmma.layout(fragment::d), threadgroup, work.d_register, row, column)) << row << ',' << column;
            for (unsigned k = work.first_k; k < work.first_k + work.ks; ++k) {
              EXPECT_TRUE(products.emplace(row, column, k).second) << row << ',' << column << ',' << k;
              EXPECT_TRUE(holds(wmma.layout(fragment::a), threadgroup, work.a_register, row, k)) << row << ',' << k;
              EXPECT_TRUE(holds(wmma.layout(fragment::b), work.b_threadgroup, work.b_register, k, column)) << k << ',' << column;
            }
          }
        }
      }
    }
  }
  EXPECT_EQ(products.size(), 16U * 16 * 16);
}

INSTANTIATE_TEST_SUITE_P(Hmma884Work, Hmma884WorkOf,
                         testing::Combine(testing::Values(f32, f16), testing::Values("row.col", "row.row", "col.col", "col.row")));

}  // namespace
}  // namespace tc::isa::hmma_884_work_test
