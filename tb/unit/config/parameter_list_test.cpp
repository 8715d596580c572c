// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/parameter_list.hpp>
#include <tc/config/spelling.hpp>

#include "sample_machine.hpp"

namespace parameter_list_test {

namespace flawed {

struct inner {
  int count = 0;
  std::string word;
};
BOOST_DESCRIBE_STRUCT(inner, (), (count, word))

constexpr auto describe_parameters(const inner*) {
  return std::array{tc::config::parameter_note{"count", "", "", ""}, tc::config::parameter_note{"wird", "", "a word", "design"}};
}

struct outer {
  std::vector<inner> inners;
  std::map<std::string, double> reals;
};
BOOST_DESCRIBE_STRUCT(outer, (), (inners, reals))

constexpr auto describe_parameters(const outer*) {
  return std::array{tc::config::parameter_note{"inners", "", "the inner ones", "design"},
                    tc::config::parameter_note{"reals", "", "numbers", "design"},
                    tc::config::parameter_note{"reals", "", "again", "design"}};
}

}  // namespace flawed

TEST(parameter_notes, are_complete_for_the_sample) { EXPECT_EQ(tc::config::check_notes<sample::machine>(), std::vector<std::string>{}); }

TEST(parameter_notes, find_every_flaw) {
  EXPECT_EQ(tc::config::check_notes<flawed::outer>(),
            (std::vector<std::string>{"inners[]: a note for \"wird\", which is no member", "inners[].count: the note has no meaning",
                                      "inners[].count: the note has no unit", "inners[].count: the note has no source",
                                      "inners[].word: has 0 notes", "reals: has 2 notes"}));
}

TEST(parameter_list, has_a_row_for_each_member) {
  const auto rows = tc::config::list_parameters<sample::machine>();
  std::vector<std::string> lines;
  lines.reserve(rows.size());
  for (const auto& row : rows) lines.push_back(row.path + " | " + row.type + " | " + row.default_value);
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "name | string | \"unnamed\"",
                       "ideal_fetch | boolean | true",
                       "clock_mhz | number | 1000.0",
                       "memory_bytes | unsigned integer | 1",
                       "bias | integer | 0",
                       "tensor | record | ",
                       R"(tensor.threadgroups | list of records | [{"units": 4, "offset": 0}, {"units": 4, "offset": 4}])",
                       "tensor.threadgroups[].units | unsigned integer | 4",
                       "tensor.threadgroups[].offset | integer | 0",
                       R"(tensor.mode | choice | "nearest_even")",
                       "tensor.scale | number or null | null",
                       "tensor.shape | list of integers | [8, 8]",
                       R"(pipes | table of records | {"FFMA": {"units": 16, "offset": 0}})",
                       "pipes[key].units | unsigned integer | 4",
                       "pipes[key].offset | integer | 0",
                       R"(latency_cycles | table of unsigned integers | {"HMMA.884": 8})",
                   }));
}

TEST(parameter_list, carries_notes_and_choices) {
  const auto rows = tc::config::list_parameters<sample::machine>();
  const auto row = [&](const std::string& path) {
    return *std::find_if(rows.begin(), rows.end(), [&](const auto& candidate) { return candidate.path == path; });
  };
  EXPECT_EQ(row("tensor.mode").choices, (std::vector<std::string>{"nearest_even", "toward_zero"}));
  EXPECT_EQ(row("latency_cycles").unit, "cycles");
  EXPECT_EQ(row("latency_cycles").meaning, "latency, by opcode");
  EXPECT_EQ(row("latency_cycles").source, "measured");
  EXPECT_TRUE(row("bias").choices.empty());
}

TEST(parameter_list, shows_the_values_it_is_given_as_defaults) {
  sample::machine m;
  m.bias = -5;
  EXPECT_EQ(tc::config::list_parameters(m)[4].default_value, "-5");
}

TEST(spelling, suggests_only_what_is_near) {
  const std::vector<std::string> names{"units", "lanes", "depth_tiles"};
  EXPECT_EQ(tc::config::nearest_name("unit", names), "units");
  EXPECT_EQ(tc::config::nearest_name("depth_tile", names), "depth_tiles");
  EXPECT_EQ(tc::config::nearest_name("latency", names), "");
  EXPECT_EQ(tc::config::nearest_name("x", {}), "");
}

}  // namespace parameter_list_test
