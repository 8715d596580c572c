// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <tc/links/cycle_account.hpp>

#include "expect_assertion.hpp"

namespace tc::links::unit_occupancy_test {
namespace {

/// Idle cycles of a unit by what became of the issue slots.
class idle_cycles final : public fabric::statistics_sink {
 public:
  explicit idle_cycles(const links::unit_occupancy& unit) { unit.collect(*this); }
  void begin_object(std::string_view) override {}
  void end_object() override {}
  void record(const fabric::statistic& value) override { by_key[value.key()] = value.value; }

  std::map<std::string, std::uint64_t> by_key;
};

using expected = std::map<std::string, std::uint64_t>;

/// Issued in cycle 0 and 4, empty for three causes in the others of 0 to 11.
void pass_twelve_slots(links::issue_slot_account& slots) {
  slots.add(links::stall_cause::none, 0, 1);
  slots.add(links::stall_cause::stall_count, 1, 4);
  slots.add(links::stall_cause::none, 4, 5);
  slots.add(links::stall_cause::wait_mask, 5, 10);
  slots.add(links::stall_cause::no_warp, 10, 12);
}

TEST(unit_occupancy, of_a_unit_that_did_nothing_is_what_became_of_the_slots) {
  links::issue_slot_account slots;
  links::unit_occupancy unit(&slots);
  pass_twelve_slots(slots);
  EXPECT_EQ(idle_cycles(unit).by_key, (expected{{"idle_issued", 2}, {"idle_stall_count", 3}, {"idle_wait_mask", 5}, {"idle_no_warp", 2}}));
}

TEST(unit_occupancy, leaves_out_the_cycles_in_which_the_unit_was_busy) {
  links::issue_slot_account slots;
  links::unit_occupancy unit(&slots), other(&slots);
  unit.take(2, 5);   // two stall counts and an issue
  unit.take(7, 8);   // a wait mask
  unit.take(9, 12);  // another, and all that no warp was there for
  pass_twelve_slots(slots);
  EXPECT_EQ(idle_cycles(unit).by_key, (expected{{"idle_issued", 1}, {"idle_stall_count", 1}, {"idle_wait_mask", 3}}));
  EXPECT_EQ(idle_cycles(other).by_key.at("idle_stall_count"), 3U);
}

/// The scheduler may have told what became of the slot of the running cycle before the unit gets something to do in it.
TEST(unit_occupancy, knows_the_slot_that_has_just_passed) {
  links::issue_slot_account slots;
  links::unit_occupancy unit(&slots), busy_for_long(&slots);
  slots.add(links::stall_cause::stall_count, 0, 4);
  slots.add(links::stall_cause::none, 4, 5);
  unit.take(4, 5);
  busy_for_long.take(4, 8);
  slots.add(links::stall_cause::wait_mask, 5, 10);
  EXPECT_EQ(idle_cycles(unit).by_key, (expected{{"idle_stall_count", 4}, {"idle_wait_mask", 5}}));
  EXPECT_EQ(idle_cycles(busy_for_long).by_key, (expected{{"idle_stall_count", 4}, {"idle_wait_mask", 2}}));
}

TEST(unit_occupancy, knows_busy_cycles_ahead_of_the_slots_and_between_them) {
  links::issue_slot_account slots;
  links::unit_occupancy unit(&slots);
  slots.add(links::stall_cause::none, 0, 1);
  unit.take(3, 100);
  slots.add(links::stall_cause::scoreboard, 1, 2);
  slots.add(links::stall_cause::scoreboard, 2, 50);
  EXPECT_EQ(idle_cycles(unit).by_key, (expected{{"idle_issued", 1}, {"idle_scoreboard", 2}}));
}

TEST(unit_occupancy, of_a_unit_by_itself_is_not_counted) {
  links::unit_occupancy unit(nullptr);
  unit.take(0, 10);
  EXPECT_EQ(idle_cycles(unit).by_key, expected{});
}

TEST(unit_occupancy, takes_no_cycle_twice) {
  links::issue_slot_account slots;
  links::unit_occupancy unit(&slots);
  unit.take(2, 5);
  EXPECT_ASSERTION(unit.take(4, 6), "coming_.back");
}

TEST(stall_cause, is_found_by_its_key) {
  for (const links::stall_cause_info& row : links::stall_cause_table) EXPECT_EQ(links::find_stall_cause(row.key), row.cause) << row.key;
  EXPECT_EQ(links::find_stall_cause("idle_issued"), std::nullopt);
}

}  // namespace
}  // namespace tc::links::unit_occupancy_test
