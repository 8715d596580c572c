// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/fabric/tag_array.hpp>

namespace tc::fabric::tag_array_test {
namespace {

/// Two sets of two lines of 128 bytes, each with four sectors.
tag_array small() { return tag_array({2, 2, 128, 32}); }

TEST(tag_array, knows_the_sectors_that_were_filled) {
  tag_array tags = small();
  EXPECT_FALSE(tags.find(0x40));
  tags.fill(0x44, 10);
  EXPECT_EQ(tags.find(0x40), 10U) << "the first byte of the sector";
  EXPECT_EQ(tags.find(0x5f), 10U) << "its last one";
  EXPECT_FALSE(tags.find(0x3f)) << "another sector of the line";
  EXPECT_FALSE(tags.find(0x60));
  tags.fill(0x60, 25);
  EXPECT_EQ(tags.find(0x40), 25U) << "the line waits for what is on its way";
}

TEST(tag_array, replaces_the_line_that_was_used_longest_ago) {
  tag_array tags = small();
  constexpr std::uint64_t first = 0x000, second = 0x100, third = 0x200;  // all of set 0
  tags.fill(first, 1);
  tags.fill(second, 2);
  ASSERT_TRUE(tags.find(first));
  tags.fill(third, 3);
  EXPECT_TRUE(tags.find(first));
  EXPECT_FALSE(tags.find(second));
  EXPECT_EQ(tags.find(third), 3U);
  tags.fill(0x080, 4);
  EXPECT_TRUE(tags.find(first)) << "set 1 has room of its own";
}

TEST(tag_array, forgets_the_sectors_of_a_replaced_line) {
  tag_array tags({1, 1, 128, 32});
  tags.fill(0x00, 1);
  tags.fill(0x80, 2);
  tags.fill(0x20, 3);
  EXPECT_FALSE(tags.find(0x00));
  EXPECT_EQ(tags.find(0x20), 3U);
}

TEST(tag_array, is_empty_after_clearing) {
  tag_array tags = small();
  tags.fill(0x40, 10);
  tags.clear();
  EXPECT_FALSE(tags.find(0x40));
}

TEST(tag_array, takes_any_number_of_sets) {
  tag_array tags({3, 1, 64, 64});
  for (std::uint64_t line = 0; line < 3; ++line) tags.fill(64 * line, line);
  for (std::uint64_t line = 0; line < 3; ++line) EXPECT_EQ(tags.find(64 * line), line);
  tags.fill(64 * 3, 3);
  EXPECT_FALSE(tags.find(0));
}

}  // namespace
}  // namespace tc::fabric::tag_array_test
