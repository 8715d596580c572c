// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/config/presets.hpp>

#include "command_process.hpp"

namespace config_command_test {

using namespace tcsim::test;

namespace {

std::size_t longest_line(const std::string& text) {
  std::istringstream lines(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(lines, line);) longest = std::max(longest, line.size());
  return longest;
}

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

TEST_F(config_command, check_knows_the_policies_by_name) {
  for (const std::string parameter : {"issue.policy", "operand_fetch.policy"}) {
    const auto checked = tcsim({"config", "check", "hopper", "--set", "sm.sub_core." + parameter + "=gredy"});
    EXPECT_EQ(checked.status, 2);
    EXPECT_NE(checked.err.find("sm.sub_core." + parameter + ": \"gredy\" is not one of "), std::string::npos) << checked.err;
  }
}

TEST_F(config_command, check_says_ok) {
  const auto checked = tcsim({"config", "check", "turing", file("mine.json", R"({"include": [], "architectures": ["sm_75"]})")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_EQ(checked.out, "turing: ok; machine turing, timing as built in\nmine.json: ok; machine unnamed, timing of its own\n");
}

TEST_F(config_command, list_explains_all_parameters_in_80_columns) {
  const auto listed = tcsim({"config", "list"});
  EXPECT_EQ(listed.status, 0) << listed.err;
  EXPECT_TRUE(contains(listed.out, "\nsm.sub_core.tensor_core.dot_product_units = "));
  EXPECT_LE(longest_line(listed.out), 80u);
}

TEST_F(config_command, list_shows_the_values_of_a_configuration) {
  for (const auto& words :
       {std::vector<std::string>{"turing_geforce", "f32_accumulate_divider"},
        {"f32_accumulate_divider", "--config", "turing_geforce"},
        {"f32_accumulate_divider", "--config", "turing", "--set", "sm.sub_core.tensor_core.f32_accumulate_divider=2"}}) {
    std::vector<std::string> arguments{"config", "list"};
    arguments.insert(arguments.end(), words.begin(), words.end());
    const auto listed = tcsim(arguments);
    EXPECT_EQ(listed.out.rfind("sm.sub_core.tensor_core.f32_accumulate_divider = 2", 0), 0u) << listed.out << listed.err;
    EXPECT_TRUE(contains(listed.out, "GeForce")) << listed.out;
  }
  expect_refusal({"config", "list", "--set", "sms=1"}, {"--config"});
}

TEST_F(config_command, list_finds_words_and_patterns) {
  const auto by_word = tcsim({"config", "list", "TRANSLATION", "entries", "hopper"});
  EXPECT_EQ(by_word.out.rfind("global_memory.hierarchy.translation.entries = ", 0), 0u) << by_word.out;
  const auto by_pattern = tcsim({"config", "list", "sm.*.banks"});
  EXPECT_TRUE(contains(by_pattern.out, "sm.sub_core.register_file.banks = ")) << by_pattern.out;
  EXPECT_FALSE(contains(by_pattern.out, "read_ports")) << by_pattern.out;
  expect_refusal({"config", "list", "register_flie"}, {"register_flie", "no parameter"});
  expect_refusal({"config", "list", "latency_cylces"}, {"did you mean latency_cycles?"});
  expect_refusal({"config", "list", "latncy"}, {"did you mean latency?"});
  expect_refusal({"config", "list", "hoper"}, {"did you mean hopper?"});
  expect_refusal({"config", "list", "latency", "quadro_rtx_600"}, {"did you mean quadro_rtx_6000?"});
}

TEST_F(config_command, list_writes_json) {
  const auto listed = tcsim({"config", "list", "hopper", "--json", "issue.hazards"});
  const auto rows = boost::json::parse(listed.out).as_array();
  ASSERT_EQ(rows.size(), 1u) << listed.out;
  const auto& row = rows.front().as_object();
  EXPECT_EQ(row.at("path").as_string(), "sm.sub_core.issue.hazards");
  EXPECT_EQ(row.at("value").as_string(), "automatic");
  EXPECT_GT(row.at("choices").as_array().size(), 1u);
  EXPECT_FALSE(row.at("meaning").as_string().empty());
}

TEST_F(config_command, a_parameter_without_the_beginning_of_its_path_is_named_whole) {
  expect_refusal({"config", "show", "turing", "--set", "tensor_core.count=1"}, {"did you mean sm.sub_core.tensor_core.count?"});
  expect_refusal({"config", "show", "turing", "--set", "tensor_cores.count=1"}, {"did you mean sm.sub_core.tensor_core.count?"});
}

TEST_F(config_command, a_machine_may_be_named_by_its_product) {
  const auto checked = tcsim({"config", "check", "t4", "rtx_2080_ti", "v100", "a100", "h100", "h200", "b200"});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_TRUE(contains(checked.out, "t4: ok; machine turing, timing as built in\n")) << checked.out;
  EXPECT_TRUE(contains(tcsim({"config", "list", "quadro_rtx_6000", "sms"}).out, "sms = 72"));
  expect_refusal({"config", "show", "RTX 2080Ti"}, {"did you mean \"rtx_2080_ti\"?"});
}

TEST_F(config_command, built_in_names_are_in_the_help) {
  const auto help = tcsim({"config", "show", "--help"});
  for (const auto& name : tc::config::preset_names()) EXPECT_TRUE(contains(help.out, name)) << name;
}

TEST_F(config_command, version_is_one_line) {
  const auto version = tcsim({"--version"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.out.substr(0, 6), "tcsim ");
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '\n'), 1);
}

}  // namespace config_command_test
