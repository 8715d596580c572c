// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include <gtest/gtest.h>

#include <tc/isa/linear_layout.hpp>

namespace tc::isa::linear_layout_test {
namespace {

/// Lanes are the rows of a 32x4, but lane bit 3 makes copies; elements are the columns.
const linear_layout copied({row_step(1), row_step(2), row_step(4), copy_step, row_step(8)}, {column_step(1), column_step(2)});

TEST(LinearLayout, AddsTheStepsOfTheBits) {
  EXPECT_EQ(copied.elements(), 4U);
  EXPECT_EQ(copied.position(0, 0), (matrix_position{0, 0}));
  EXPECT_EQ(copied.position(5, 3), (matrix_position{5, 3}));
  EXPECT_EQ(copied.position(8 + 5, 3), (matrix_position{5, 3}));
  EXPECT_EQ(copied.position(16 + 7, 2), (matrix_position{15, 2}));
}

TEST(LinearLayout, FindsAllHolders) {
  const auto holders = copied.holders({9, 2});
  ASSERT_EQ(holders.size(), 2U);
  EXPECT_EQ(holders[0].lane, 17U);
  EXPECT_EQ(holders[1].lane, 25U);
  EXPECT_EQ(holders[0].element, 2U);
  EXPECT_EQ(holders[1].element, 2U);
}

TEST(LinearLayout, HasNoHoldersOutside) {
  EXPECT_TRUE(copied.holders({16, 0}).empty());
  EXPECT_TRUE(copied.holders({0, 4}).empty());
  EXPECT_TRUE(copied.holders({0, 0, 1}).empty());
}

TEST(LinearLayout, APartTakesARunOfElements) {
  const linear_layout upper = copied.part(1, 2);
  EXPECT_EQ(upper.elements(), 2U);
  EXPECT_EQ(upper.position(5, 1), (matrix_position{5, 3}));
  EXPECT_EQ(upper.holders({5, 2}).size(), 2U);
  EXPECT_TRUE(upper.holders({5, 1}).empty());
  EXPECT_EQ(copied.part(3, 4).position(1, 0), (matrix_position{1, 3}));
  EXPECT_EQ(copied.part(0, 1).elements(), 4U);
}

TEST(LinearLayout, RefusesStepsThatNameNoBit) {
  const std::vector<matrix_position> rows{row_step(1), row_step(2), row_step(4), row_step(8), row_step(16)};
  EXPECT_THROW(linear_layout({row_step(1)}, {}), std::invalid_argument);
  EXPECT_THROW(linear_layout(rows, {column_step(3)}), std::invalid_argument);
  EXPECT_THROW(linear_layout(rows, {matrix_position{0, 1, 1}}), std::invalid_argument);
  EXPECT_THROW(linear_layout(rows, {row_step(4)}), std::invalid_argument);
  EXPECT_NO_THROW(linear_layout(rows, {copy_step, copy_step}));
}

}  // namespace
}  // namespace tc::isa::linear_layout_test
