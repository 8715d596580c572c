#include <cstddef>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/unit_set.hpp>

namespace tc::fabric {
namespace {

using numbers = std::vector<std::size_t>;

numbers taken(unit_set& set) {
  numbers all;
  set.take_all([&](std::size_t id) { all.push_back(id); });
  return all;
}

TEST(unit_set, visits_each_number_once_in_ascending_order) {
  unit_set set;
  for (const std::size_t id : {63U, 5000U, 0U, 64U, 4096U, 4095U, 64U, 0U, 100000U}) set.insert(id);
  EXPECT_EQ(taken(set), (numbers{0, 63, 64, 4095, 4096, 5000, 100000}));
}

TEST(unit_set, is_empty_when_all_have_been_taken) {
  unit_set set;
  EXPECT_EQ(taken(set), numbers{});
  set.insert(70);
  EXPECT_EQ(taken(set), numbers{70});
  EXPECT_EQ(taken(set), numbers{});
  set.insert(3);
  EXPECT_EQ(taken(set), numbers{3});
}

TEST(unit_set, forgets_all) {
  unit_set set;
  set.insert(1);
  set.insert(9000);
  set.clear();
  EXPECT_EQ(taken(set), numbers{});
}

TEST(unit_set, asks_until_one_is_wanted) {
  unit_set set;
  for (const std::size_t id : {7U, 8U, 4200U}) set.insert(id);
  numbers asked;
  EXPECT_TRUE(set.any_of([&](std::size_t id) {
    asked.push_back(id);
    return id == 8;
  }));
  EXPECT_EQ(asked, (numbers{7, 8}));
  EXPECT_FALSE(set.any_of([](std::size_t id) { return id == 4; }));
  EXPECT_EQ(taken(set), (numbers{7, 8, 4200})) << "asking takes none away";
}

}  // namespace
}  // namespace tc::fabric
