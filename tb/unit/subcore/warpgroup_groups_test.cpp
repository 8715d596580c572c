// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

#include <tc/subcore/warpgroup/warpgroup_unit.hpp>

namespace tc::subcore::warpgroup_groups_test {
namespace {

TEST(warpgroup_groups, nothing_was_complete_from_the_beginning) {
  warpgroup_groups groups;
  EXPECT_EQ(groups.complete_but(0), cycle_t{0});
  groups.commit();
  EXPECT_EQ(groups.complete_but(0), cycle_t{0}) << "a group without instructions";
  groups.join();
  EXPECT_EQ(groups.complete_but(0), cycle_t{0}) << "nobody waits for what is not committed";
}

TEST(warpgroup_groups, a_group_completes_with_its_last_instruction) {
  warpgroup_groups groups;
  const std::uint64_t first = groups.join();
  EXPECT_EQ(groups.join(), first);
  groups.commit();
  const std::uint64_t second = groups.join();
  groups.commit();
  groups.completes(first, 50);
  groups.completes(second, 20);
  EXPECT_EQ(groups.complete_but(0), std::nullopt);
  EXPECT_EQ(groups.complete_but(1), std::nullopt);
  EXPECT_EQ(groups.complete_but(2), cycle_t{0}) << "both may be pending";
  groups.completes(first, 40);
  EXPECT_EQ(groups.complete_but(0), cycle_t{50});
  EXPECT_EQ(groups.complete_but(1), cycle_t{50});
}

TEST(warpgroup_groups, groups_that_need_not_be_told_apart_still_count) {
  warpgroup_groups groups;
  const std::uint64_t late = groups.join();
  groups.commit();
  for (unsigned i = 0; i < 20; ++i) {
    const std::uint64_t group = groups.join();
    groups.commit();
    groups.completes(group, 10 + i);
  }
  EXPECT_EQ(groups.complete_but(7), std::nullopt) << "the first one is still under way";
  groups.completes(late, 100);
  EXPECT_EQ(groups.complete_but(7), cycle_t{100});
  EXPECT_EQ(groups.complete_but(0), cycle_t{100});
}

}  // namespace
}  // namespace tc::subcore::warpgroup_groups_test
