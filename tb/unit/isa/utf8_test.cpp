// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <string>

#include <gtest/gtest.h>

#include <tc/isa/utf8.hpp>

namespace tc::isa::utf8_test {
namespace {

const std::string replaced = "\xef\xbf\xbd";

TEST(utf8, knows_the_shortest_and_the_longest_sequence_of_each_length) {
  for (const char* const text : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80", "\xef\xbf\xbf",
                                 "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    const std::string twice = std::string(text) + text;
    EXPECT_EQ(find_malformed_utf8(twice), twice.size()) << text;
    EXPECT_EQ(to_utf8(twice), twice);
  }
}

TEST(utf8, refuses_what_is_overlong_or_no_character) {
  for (const char* const text :
       {"\x80", "\xbf", "\xc1\xbf", "\xc0\x80", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80",
        "\xff", "\xc2", "\xe2\x82", "\xf0\x90\x80", "\xe2\x82z", "\xc2\xc2\x80"})
    EXPECT_EQ(find_malformed_utf8(std::string("ab") + text), 2U) << testing::PrintToString(text);
}

TEST(utf8, control_characters_are_not_printable) {
  for (const char c : {'\0', '\t', '\n', '\x1f', '\x7f'}) {
    const std::string text = std::string("a") + c + "b";
    EXPECT_EQ(find_unprintable(text), 1U) << static_cast<int>(c);
    EXPECT_EQ(find_malformed_utf8(text), text.size()) << static_cast<int>(c);
  }
  EXPECT_EQ(find_unprintable("caf\xc3\xa9 \xff"), 6U);
  EXPECT_EQ(find_unprintable("caf\xc3\xa9"), 5U);
}

TEST(utf8, replaces_each_byte_that_is_no_part_of_a_sequence) {
  EXPECT_EQ(to_utf8("caf\xe9"), "caf" + replaced);
  EXPECT_EQ(to_utf8("\xe9\xe9 caf\xc3\xa9"), replaced + replaced + " caf\xc3\xa9");
  EXPECT_EQ(to_utf8("\xe2\x82z"), replaced + replaced + "z");
}

}  // namespace
}  // namespace tc::isa::utf8_test
