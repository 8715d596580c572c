// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/fabric/shared_tag_array.hpp>

namespace tc::fabric::shared_tag_array_test {
namespace {

TEST(shared_tag_array, finds_from_the_next_cycle_on_what_was_asked_for) {
  shared_tag_array tags({2, 2, 128, 32});
  EXPECT_FALSE(tags.find(0x40, 5));
  tags.fill(0x40, 30, 5);
  EXPECT_FALSE(tags.find(0x40, 5)) << "another unit that asks in the same cycle misses too";
  tags.fill(0x40, 30, 5);
  EXPECT_FALSE(tags.find(0x5f, 5)) << "the last byte of the sector";
  EXPECT_EQ(tags.find(0x40, 6), 30U);
}

TEST(shared_tag_array, finds_what_was_there_before_the_cycle) {
  shared_tag_array tags({2, 2, 128, 32});
  tags.fill(0x40, 30, 5);
  tags.fill(0x80, 40, 7);
  EXPECT_EQ(tags.find(0x40, 7), 30U);
  EXPECT_FALSE(tags.find(0x80, 7));
}

TEST(shared_tag_array, forgets_everything) {
  shared_tag_array tags({2, 2, 128, 32});
  tags.fill(0x40, 30, 5);
  tags.clear();
  EXPECT_FALSE(tags.find(0x40, 9));
}

}  // namespace
}  // namespace tc::fabric::shared_tag_array_test
