// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>

namespace tc::fabric::unit_sets_test {
namespace {

using numbers = std::vector<std::size_t>;

template <std::size_t Sets>
numbers taken(unit_sets<Sets>& sets, std::size_t set) {
  numbers all;
  sets.take_all(set, [&](std::size_t id) { all.push_back(id); });
  return all;
}

TEST(unit_sets, visit_each_number_once_in_ascending_order) {
  unit_sets<2> sets;
  sets.make_room(100001);
  for (const std::size_t id : {63U, 5000U, 0U, 64U, 4096U, 4095U, 64U, 0U, 100000U}) sets.insert(1, id);
  EXPECT_EQ(taken(sets, 1), (numbers{0, 63, 64, 4095, 4096, 5000, 100000}));
}

TEST(unit_sets, are_apart) {
  unit_sets<3> sets;
  sets.make_room(70);
  sets.insert(0, 69);
  sets.insert(1, 69);
  sets.insert(1, 5);
  sets.insert(2, 0);
  EXPECT_EQ(taken(sets, 1), (numbers{5, 69}));
  sets.clear(2);
  EXPECT_EQ(taken(sets, 2), numbers{});
  EXPECT_EQ(taken(sets, 0), numbers{69});
}

TEST(unit_sets, are_empty_when_all_have_been_taken) {
  unit_sets<1> sets;
  sets.make_room(80);
  EXPECT_EQ(taken(sets, 0), numbers{});
  sets.insert(0, 70);
  EXPECT_EQ(taken(sets, 0), numbers{70});
  EXPECT_EQ(taken(sets, 0), numbers{});
  sets.insert(0, 3);
  EXPECT_EQ(taken(sets, 0), numbers{3});
}

TEST(unit_sets, keep_their_numbers_when_there_is_room_for_more) {
  unit_sets<2> sets;
  sets.make_room(1);
  sets.insert(0, 0);
  sets.make_room(64);
  sets.insert(1, 63);
  sets.make_room(5000);
  sets.insert(1, 4999);
  EXPECT_EQ(taken(sets, 0), numbers{0});
  EXPECT_EQ(taken(sets, 1), (numbers{63, 4999}));
}

TEST(unit_sets, forget_all) {
  unit_sets<2> sets;
  sets.make_room(9001);
  sets.insert(0, 1);
  sets.insert(1, 9000);
  sets.clear();
  EXPECT_EQ(taken(sets, 0), numbers{});
  EXPECT_EQ(taken(sets, 1), numbers{});
}

TEST(unit_sets, ask_until_one_is_wanted) {
  unit_sets<1> sets;
  sets.make_room(4201);
  for (const std::size_t id : {7U, 8U, 4200U}) sets.insert(0, id);
  numbers asked;
  EXPECT_TRUE(sets.any_of(0, [&](std::size_t id) {
    asked.push_back(id);
    return id == 8;
  }));
  EXPECT_EQ(asked, (numbers{7, 8}));
  EXPECT_FALSE(sets.any_of(0, [](std::size_t id) { return id == 4; }));
  EXPECT_EQ(taken(sets, 0), (numbers{7, 8, 4200})) << "asking takes none away";
}

}  // namespace
}  // namespace tc::fabric::unit_sets_test
