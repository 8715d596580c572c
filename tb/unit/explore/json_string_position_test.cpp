// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <gtest/gtest.h>

#include "file_value.hpp"

namespace tcsim::json_string_position_test {
namespace {

/// Line and column of byte `offset` of the string at `place` in `text`.
std::pair<std::size_t, std::size_t> place_in(std::string_view text, tc::config::text_position place, std::size_t offset) {
  const auto at = json_string_position(text, place, offset);
  return {at.line, at.column};
}

TEST(json_string_position, counts_what_stands_in_the_file) {
  EXPECT_EQ(place_in(R"(["abc"])", {1, 2}, 2), (std::pair<std::size_t, std::size_t>{1, 5}));
  EXPECT_EQ(place_in("{\n  \"key\" : \"abc\"}", {2, 3}, 1), (std::pair<std::size_t, std::size_t>{2, 13}));
}

TEST(json_string_position, knows_how_long_escapes_are) {
  EXPECT_EQ(place_in(R"(["\"\nx"])", {1, 2}, 2), (std::pair<std::size_t, std::size_t>{1, 7}));
  EXPECT_EQ(place_in(R"(["\u0041\u00e9\u20ac\ud83d\ude00x"])", {1, 2}, 1 + 2 + 3 + 4), (std::pair<std::size_t, std::size_t>{1, 33}));
}

}  // namespace
}  // namespace tcsim::json_string_position_test
