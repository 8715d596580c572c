// SPDX-License-Identifier: Apache-2.0
#include "run_page.hpp"

#include <gtest/gtest.h>

#include <tc/config/parameter_writer.hpp>
#include <tc/config/presets.hpp>

namespace tcsim::run_page_test {
namespace {

namespace json = boost::json;

/// Statistics of a run on a Turing with one parameter changed, and names that look like markup.
json::object a_run() {
  auto machine = tc::config::make_preset("turing");
  machine.sms = 3;
  return {{"config", tc::config::to_json(machine)},
          {"trace", {{"kernel", "</script><script>alert(1)</script>"}}},
          {"cycles", 100},
          {"instructions", 40},
          {"stalls", json::object()},
          {"issue_slots", json::object()},
          {"units", json::object()}};
}

TEST(run_page, has_the_statistics_and_what_differs_from_the_built_in_configuration) {
  const json::object data = run_data(a_run(), "run.json");
  EXPECT_EQ(data.at("run").at("cycles"), 100);
  EXPECT_EQ(data.at("file"), "run.json");
  EXPECT_EQ(data.at("causes").at(0).at("key"), "issued");
  EXPECT_EQ(data.at("differs").at("base"), "turing");
  EXPECT_EQ(json::serialize(data.at("differs").at("parameters")), R"([["sms",40,3]])");
}

TEST(run_page, of_a_configuration_with_a_name_of_its_own_compares_with_nothing) {
  json::object run = a_run();
  run["config"].as_object()["name"] = "mine";
  EXPECT_TRUE(run_data(run, "run.json").at("differs").at("base").is_null());
}

TEST(run_page, never_interprets_names_and_loads_nothing) {
  const std::string page = run_page(a_run(), "<img src=x>");
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt; \u00b7 tcsim</title>"), std::string::npos);
  for (const char* const loads : {"<link", "src=\"", "<img", "@import", "url("}) EXPECT_EQ(page.find(loads), std::string::npos) << loads;
}

}  // namespace
}  // namespace tcsim::run_page_test
