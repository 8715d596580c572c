// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include <gtest/gtest.h>

#include <tc/engine/product/operand_matrix.hpp>

namespace tc::engine::operand_layout_test {
namespace {

// A product may begin when the first columns of B are there: with a shift of columns that is a number of them that is no multiple of eight.
TEST(operand_layout, knows_which_core_matrices_hold_the_first_rows) {
  const isa::matrix_descriptor rows_of_64_bytes{0x400, 128, 512, 0, isa::swizzle_mode::none};
  const operand_layout k_major({isa::shared_matrix(rows_of_64_bytes, isa::matrix_major::k, 8, 72, 64), isa::matrix_major::k});
  ASSERT_EQ(k_major.cores(), 36U);
  const unsigned rows[] = {0, 1, 8, 9, 64, 65, 68, 72, 144}, cores[] = {0, 4, 4, 8, 32, 36, 36, 36, 36};
  for (std::size_t i = 0; i < std::size(rows); ++i) EXPECT_EQ(k_major.cores_of_first(rows[i]), cores[i]) << rows[i];

  const isa::matrix_descriptor columns_of_64_bytes{0x400, 256, 128, 0, isa::swizzle_mode::none};
  const operand_layout mn_major({isa::shared_matrix(columns_of_64_bytes, isa::matrix_major::mn, 16, 32, 16), isa::matrix_major::mn});
  ASSERT_EQ(mn_major.cores(), 8U);
  EXPECT_EQ(mn_major.cores_of_first(1), 2U);
  EXPECT_EQ(mn_major.cores_of_first(8), 2U);
  EXPECT_EQ(mn_major.cores_of_first(9), 4U);
  EXPECT_EQ(mn_major.cores_of_first(32), 8U);
}

}  // namespace
}  // namespace tc::engine::operand_layout_test
