// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <gtest/gtest.h>

#include <tc/config/presets.hpp>

#include "command_process.hpp"

namespace config_command_test {

using namespace tcsim::test;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

using config_command = command_test;

TEST_F(config_command, show_prints_values_that_load_back_unchanged) {
  const auto shown = tcsim({"config", "show", "hopper", "--set", "sm.sub_core.tensor_core.count=2"});
  ASSERT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.err, "");
  EXPECT_FALSE(contains(shown.out, "//"));
  const auto again = tcsim({"config", "show", file("mine.json", shown.out)});
  EXPECT_EQ(again.out, shown.out);
}

TEST_F(config_command, check_says_ok) {
  const auto checked = tcsim({"config", "check", "turing", file("mine.json", R"({"include": [], "architectures": ["sm_75"]})")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(checked.out, "turing: ok; machine turing, timing as built in\nmine.json: ok; machine unnamed, timing of its own\n");
}

TEST_F(config_command, list_needs_no_file) {
  const auto listed = tcsim({"config", "list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_EQ(listed.out.substr(0, 9), "PARAMETER");
  EXPECT_TRUE(contains(listed.out, "\nsm.sub_core.tensor_core.dot_product_units "));
}

TEST_F(config_command, list_shows_the_values_of_a_file) {
  const auto listed = tcsim({"config", "list", "turing_geforce"});
  const auto row = listed.out.find("sm.sub_core.tensor_core.f32_accumulate_divider ");
  ASSERT_NE(row, std::string::npos);
  const std::string line = listed.out.substr(row, listed.out.find('\n', row) - row);
  EXPECT_TRUE(contains(line, " 2 ")) << line;
  EXPECT_TRUE(contains(line, "GeForce")) << line;
}

TEST_F(config_command, built_in_names_are_in_the_help) {
  const auto help = tcsim({"config", "show", "--help"});
  for (const auto& name : tc::config::preset_names()) EXPECT_TRUE(contains(help.out, name)) << name;
}

class help : public command_test, public testing::WithParamInterface<std::vector<std::string>> {};

TEST_P(help, explains_and_gives_an_example) {
  auto arguments = GetParam();
  arguments.emplace_back("--help");
  const auto shown = tcsim(arguments);
  EXPECT_EQ(shown.status, 0);
  EXPECT_EQ(shown.err, "");
  EXPECT_TRUE(contains(shown.out, "Usage: tcsim"));
  EXPECT_TRUE(contains(shown.out, "Example: tcsim "));
}

INSTANTIATE_TEST_SUITE_P(of, help,
                         testing::Values(std::vector<std::string>{}, std::vector<std::string>{"run"}, std::vector<std::string>{"trace"},
                                         std::vector<std::string>{"trace", "check"}, std::vector<std::string>{"config"},
                                         std::vector<std::string>{"config", "show"}, std::vector<std::string>{"config", "check"},
                                         std::vector<std::string>{"config", "list"}),
                         [](const auto& parameter) {
                           std::string name = "tcsim";
                           for (const auto& word : parameter.param) name += "_" + word;
                           return name;
                         });

TEST_F(config_command, version_is_one_line) {
  const auto version = tcsim({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.substr(0, 6), "tcsim ");
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '\n'), 1);
}

}  // namespace config_command_test
