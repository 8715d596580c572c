// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/subcore/pipes/asynchronous_requests.hpp>

namespace bulk_groups_test {

namespace {

using tc::subcore::bulk_groups;

TEST(bulk_groups, have_written_when_all_their_copies_have) {
  bulk_groups groups;
  const auto first = groups.join(), second = groups.join();
  EXPECT_EQ(first, second);
  groups.commit();
  EXPECT_FALSE(groups.have_written_but(0));
  groups.has_written(first);
  EXPECT_FALSE(groups.have_written_but(0));
  groups.has_written(second);
  EXPECT_TRUE(groups.have_written_but(0));
}

TEST(bulk_groups, have_read_when_all_their_copies_have) {
  bulk_groups groups;
  const auto first = groups.join(), second = groups.join();
  groups.commit();
  groups.has_read(first);
  EXPECT_FALSE(groups.have_read_but(0));
  groups.has_read(second);
  EXPECT_TRUE(groups.have_read_but(0));
  EXPECT_FALSE(groups.have_written_but(0));
}

/// Copies of a later group may be done first; groups are counted from the last one committed.
TEST(bulk_groups, are_waited_for_but_for_the_last_ones) {
  bulk_groups groups;
  const auto first = groups.join();
  groups.commit();
  const auto second = groups.join();
  groups.commit();
  EXPECT_NE(first, second);
  groups.has_written(second);
  EXPECT_FALSE(groups.have_written_but(0));
  EXPECT_FALSE(groups.have_written_but(1));
  EXPECT_TRUE(groups.have_written_but(2));
  groups.has_written(first);
  EXPECT_TRUE(groups.have_written_but(0));
  const auto third = groups.join();
  groups.commit();
  EXPECT_EQ(third, second + 1);
  EXPECT_FALSE(groups.have_written_but(0));
  EXPECT_TRUE(groups.have_written_but(1));
}

/// What has not been committed is not waited for.
TEST(bulk_groups, are_those_that_have_been_committed) {
  bulk_groups groups;
  const auto open = groups.join();
  EXPECT_TRUE(groups.have_written_but(0));
  EXPECT_TRUE(groups.have_read_but(0));
  groups.has_read(open);
  groups.has_written(open);
  groups.commit();
  EXPECT_TRUE(groups.have_written_but(0));
}

}  // namespace

}  // namespace bulk_groups_test
