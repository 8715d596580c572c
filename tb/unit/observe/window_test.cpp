// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include <tc/observe/window.hpp>

namespace tc::observe::window_test {
namespace {

using unit = record_window::unit;

void expect_complaint(const std::string& text, const std::string& part) {
  try {
    record_window::parse(text);
    ADD_FAILURE() << text << " was taken";
  } catch (const std::invalid_argument& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

void expect_window(const std::string& text, unit counted, std::uint64_t first, std::uint64_t last) {
  const record_window window = record_window::parse(text);
  EXPECT_EQ(window.counted, counted) << text;
  EXPECT_EQ(window.first, first) << text;
  EXPECT_EQ(window.last, last) << text;
}

TEST(record_window, is_read_from_the_text_of_an_option) {
  EXPECT_TRUE(record_window{}.is_whole_run());
  expect_window("1000..2000", unit::cycles, 1000, 2000);
  expect_window("cycles:1000..2000", unit::cycles, 1000, 2000);
  expect_window("1000..", unit::cycles, 1000, record_window::open_end);
  expect_window("instructions:..700", unit::instructions, 0, 700);
  expect_window("instructions:500..700", unit::instructions, 500, 700);
}

TEST(record_window, says_what_is_wrong_and_what_would_be_right) {
  expect_complaint("2000..1000", "window '2000..1000': it is empty; a window is FIRST..LAST");
  expect_complaint("5..5", "it is empty");
  expect_complaint("100", "no '..'");
  expect_complaint("..", "no bound");
  expect_complaint("a..7", "'a' is not a whole number");
  expect_complaint("-1..7", "'-1' is not a whole number");
  expect_complaint("1..99999999999999999999", "too large");
  expect_complaint("warps:1..2", "'warps' is neither 'cycles' nor 'instructions'");
}

TEST(window_progress, takes_what_overlaps_a_range_of_cycles) {
  const window_progress window(record_window::parse("10..20"));
  EXPECT_FALSE(window.covers(5, 10));
  EXPECT_TRUE(window.covers(5, 11));
  EXPECT_TRUE(window.covers(19, 30));
  EXPECT_FALSE(window.covers(20, 30));
  EXPECT_TRUE(window.contains(10) && window.contains(19));
  EXPECT_FALSE(window.contains(9) || window.contains(20));
}

TEST(window_progress, of_instructions_lasts_from_the_first_begin_to_the_last_end) {
  window_progress window(record_window::parse("instructions:1..3"));
  EXPECT_FALSE(window.instruction_begins(4));
  EXPECT_FALSE(window.covers(0, 6)) << "the window has not begun";
  EXPECT_TRUE(window.instruction_begins(6));
  EXPECT_FALSE(window.covers(0, 6));
  EXPECT_TRUE(window.covers(0, 7));
  window.instruction_ended(9);
  EXPECT_TRUE(window.covers(15, 16)) << "an instruction of the window is yet to come";
  EXPECT_TRUE(window.instruction_begins(20));
  EXPECT_FALSE(window.instruction_begins(21));
  window.instruction_ended(30);
  EXPECT_TRUE(window.covers(29, 40));
  EXPECT_FALSE(window.covers(30, 40));
}

}  // namespace
}  // namespace tc::observe::window_test
