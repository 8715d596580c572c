// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <gtest/gtest.h>

#include <tc/config/parameter_override.hpp>
#include <tc/config/parameter_path.hpp>

#include "sample_machine.hpp"

namespace parameter_override_test {

TEST(parameter_override, sets_members_elements_and_entries) {
  const auto m = machine_from("{}", {"clock_mhz=1.5", "tensor.threadgroups[1].units=2", "pipes.FFMA.units=3",
                                     "latency_cycles[HMMA.1688]=14", "tensor.scale=2", "ideal_fetch=false", "tensor.shape=[1,2]"});
  EXPECT_EQ(m.clock_mhz, 1.5);
  EXPECT_EQ(m.tensor.threadgroups[0].units, 4U);
  EXPECT_EQ(m.tensor.threadgroups[1].units, 2U);
  EXPECT_EQ(m.pipes.at("FFMA").units, 3U);
  EXPECT_EQ(m.latency_cycles.at("HMMA.1688"), 14U);
  EXPECT_EQ(m.latency_cycles.at("HMMA.884"), 8U);
  EXPECT_EQ(m.tensor.scale, 2.0);
  EXPECT_FALSE(m.ideal_fetch);
  EXPECT_EQ(m.tensor.shape[1], 2);
}

TEST(parameter_override, takes_bare_words_for_strings_and_enumerations) {
  EXPECT_EQ(machine_from("{}", {"name=75"}).name, "75");
  EXPECT_EQ(machine_from("{}", {"name=a=b"}).name, "a=b");
  EXPECT_EQ(machine_from("{}", {"name="}).name, "");
  EXPECT_EQ(machine_from("{}", {R"(name="a b")"}).name, "a b");
  EXPECT_EQ(machine_from("{}", {"tensor.mode=toward_zero"}).tensor.mode, sample::rounding::toward_zero);
  EXPECT_EQ(machine_from("{}", {R"(tensor.mode="toward_zero")"}).tensor.mode, sample::rounding::toward_zero);
}

TEST(parameter_override, merges_records_and_empties_optionals) {
  const auto m = machine_from(R"({"tensor": {"scale": 1}})", {R"(tensor={"mode": "toward_zero"})", "tensor.scale=null"});
  EXPECT_EQ(m.tensor.mode, sample::rounding::toward_zero);
  EXPECT_EQ(m.tensor.threadgroups.size(), 2U);
  EXPECT_FALSE(m.tensor.scale.has_value());
}

TEST(parameter_override, later_assignments_win) { EXPECT_EQ(machine_from(R"({"bias": 1})", {"bias=2", "bias=3"}).bias, 3); }

TEST(parameter_override, reports_paths_that_lead_nowhere) {
  EXPECT_EQ(set_error("tensor.mood=1"),
            "--set tensor.mood=1: tensor: unknown key \"mood\"; did you mean \"mode\"? known keys: threadgroups, mode, scale, shape");
  EXPECT_EQ(set_error("tensor.threadgroups[2].units=1"),
            "--set tensor.threadgroups[2].units=1: tensor.threadgroups: no element 2: the list has 2");
  EXPECT_EQ(set_error("tensor.threadgroups.units=1"),
            "--set tensor.threadgroups.units=1: tensor.threadgroups: expected an index such as [0], got \"units\"");
  EXPECT_EQ(set_error("bias.x=1"), "--set bias.x=1: bias: has no member \"x\": it is a single value");
}

TEST(parameter_override, reports_values_under_the_rules_of_the_reader) {
  EXPECT_EQ(set_error("tensor.threadgroups[1].units=1.5"),
            "--set tensor.threadgroups[1].units=1.5: tensor.threadgroups[1].units: expected an integer from 0 to 4294967295, got 1.5");
  EXPECT_EQ(set_error("tensor.mode=up"),
            "--set tensor.mode=up: tensor.mode: unknown value \"up\"; known values: nearest_even, toward_zero");
  EXPECT_EQ(set_error("clock_mhz=fast"), "--set clock_mhz=fast: clock_mhz: syntax error at `fast`");
  EXPECT_EQ(set_error("clock_mhz="), "--set clock_mhz=: clock_mhz: the text ends before the JSON value is complete");
  EXPECT_EQ(set_error("clock_mhz=1e999"), "--set clock_mhz=1e999: clock_mhz: 1e999 is too large for a number");
  EXPECT_EQ(set_error(R"(tensor={"mode":"up"})"),
            "--set tensor={\"mode\":\"up\"}: tensor.mode: unknown value \"up\"; known values: nearest_even, toward_zero");
}

TEST(parameter_override, reports_malformed_assignments) {
  EXPECT_EQ(set_error("bias"), "--set bias: configuration: expected path=value");
  EXPECT_EQ(set_error("name=caf\xe9"), "--set name=caf\xef\xbf\xbd: configuration: must be UTF-8") << "else what is written cannot be read";
  EXPECT_EQ(set_error("=1"), "--set =1: configuration: malformed path: a key is missing");
  EXPECT_EQ(set_error("tensor..mode=1"), "--set tensor..mode=1: tensor..mode: malformed path: a key is missing");
  EXPECT_EQ(set_error("tensor.=1"), "--set tensor.=1: tensor.: malformed path: a key is missing");
  EXPECT_EQ(set_error("a[1=1"), "--set a[1=1: a[1: malformed path: ']' is missing");
  EXPECT_EQ(set_error("a[]=1"), "--set a[]=1: a[]: malformed path: a key is missing");
  EXPECT_EQ(set_error("a[1]b=1"), "--set a[1]b=1: a[1]b: malformed path: expected '.' or '[' after ']'");
}

/// What is wrong with setting `path` to the member "value" of a file.
std::string file_error(const std::string& path, const std::string& text) {
  const auto file = tc::config::json_document::parse(text, "sweep.json");
  sample::machine m;
  try {
    const auto value = file.part(file.root().at("value"), "value");
    tc::config::parameter_override(path, {7, 7}, value).apply(m);
  } catch (const tc::config::config_error& error) {
    return error.what();
  }
  return "none";
}

TEST(parameter_override, names_places_in_a_file) {
  EXPECT_EQ(file_error("tensor.mode", R"({"value": "toward_zero"})"), "none");
  EXPECT_EQ(file_error("tensor.mode", R"({"value": "up"})"),
            "sweep.json:1:2: tensor.mode: unknown value \"up\"; known values: nearest_even, toward_zero");
  EXPECT_EQ(file_error("tensor", R"({"value": {"scale": 1, "mode": "up"}, "values": 1})"),
            "sweep.json:1:24: tensor.mode: unknown value \"up\"; known values: nearest_even, toward_zero");
  EXPECT_EQ(file_error("tensor.mood", R"({"value": 1})").substr(0, 47), "sweep.json:7:7: tensor: unknown key \"mood\"; did");
  EXPECT_EQ(file_error("tensor.", R"({"value": 1})"), "sweep.json:7:7: tensor.: malformed path: a key is missing");
}

TEST(parameter_path, splits_what_the_other_functions_build) {
  using namespace tc::config;
  const std::string path = member_path(element_path(member_path(member_path("", "a"), "HMMA.1688"), 3), "b_2");
  EXPECT_EQ(path, "a[HMMA.1688][3].b_2");
  EXPECT_EQ(split_path(path), (std::vector<std::string>{"a", "HMMA.1688", "3", "b_2"}));
}

}  // namespace parameter_override_test
