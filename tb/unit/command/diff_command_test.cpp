// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace diff_command_test {

// What changed between two runs.

using namespace tcsim::test;
namespace json = boost::json;

class diff_command : public command_test {
 protected:
  /// Statistics of one instruction on a machine with a changed parameter, or none.
  std::string run(const std::string& name, const std::vector<std::string>& more = {}) const {
    file("one.trace", one_warp("sm_75", "", "/*0000*/ HMMA.1688.F32 R8, R4, R6, RZ\n"));
    std::vector<std::string> arguments{"run", "one.trace", "--config", "turing", "--no-data", "--stats", name};
    arguments.insert(arguments.end(), more.begin(), more.end());
    EXPECT_EQ(tcsim(arguments).status, 0);
    return name;
  }
};

TEST_F(diff_command, shows_parameters_cycles_and_counters_and_writes_them) {
  run("a.json");
  run("b.json", {"--set", "sm.sub_core.tensor_core.dot_product_units=1"});
  const auto result = tcsim({"diff", "a.json", "b.json", "--json", "diff.json", "--top", "1"});
  EXPECT_EQ(result.status, 0) << result.err;
  for (const char* const part :
       {"A: a.json\nB: b.json\n", "sm.sub_core.tensor_core.dot_product_units", "Issue slots", "busy_cycles", " more; --all shows them"})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " is not in: " << result.out;
  const auto written = json::parse(content_of(folder() / "diff.json"));
  EXPECT_EQ(written.at("equal"), false);
  EXPECT_EQ(written.at("configuration").at(0).at("b"), 1);
  EXPECT_EQ(written.at("results").at(0).at("name"), "cycles");
  EXPECT_GT(written.at("counters").as_array().size(), 1U);
  EXPECT_EQ(tcsim({"diff", "a.json", "b.json", "--exit-code"}).status, 1);
  const auto none = tcsim({"diff", "a.json", "b.json", "--top", "0"});
  EXPECT_EQ(none.status, 0) << none.err;
  EXPECT_NE(none.out.find("cycles"), std::string::npos);
  EXPECT_EQ(none.out.find("Issue slots"), std::string::npos) << none.out;
  EXPECT_EQ(tcsim({"diff", "a.json", "b.json", "--all"}).out.find("--all"), std::string::npos);
}

TEST_F(diff_command, warns_of_runs_under_different_rules_for_hazards) {
  const std::string changed = "sm.sub_core.tensor_core.dot_product_units=1", rule = "sm.sub_core.issue.hazards=interlock";
  run("preset.json");
  run("changed.json", {"--set", changed});
  run("preset_with_interlock.json", {"--set", rule});
  const auto across = tcsim({"diff", "preset.json", "changed.json", "--json", "across.json"});
  EXPECT_NE(across.out.find("Warning: the two runs kept dependent instructions apart by different rules"), std::string::npos) << across.out;
  EXPECT_EQ(json::parse(content_of(folder() / "across.json")).at("one_hazard_rule"), false);
  EXPECT_EQ(tcsim({"diff", "preset_with_interlock.json", "changed.json"}).out.find("Warning"), std::string::npos);
  const auto equal = tcsim({"diff", "preset.json", "preset_with_interlock.json"});
  EXPECT_NE(equal.out.find("different rules (`hazards`), which makes no difference here"), std::string::npos) << equal.out;
  EXPECT_EQ(json::parse(content_of(folder() / "preset.json")).at("hazards"), "silicon");
  EXPECT_EQ(json::parse(content_of(folder() / "changed.json")).at("hazards"), "interlock");
}

TEST_F(diff_command, compares_kernels_by_name_and_says_of_which_it_does_not) {
  const auto gemm = [&](const char* sizes, const char* name) {
    EXPECT_EQ(tcsim({"gemm", "--config", "turing", "--size", sizes, "--no-data", "--stats", name}).status, 0);
  };
  gemm("16,32", "a.json");
  gemm("32,48", "b.json");
  const std::string out = tcsim({"diff", "a.json", "b.json", "--top", "0"}).out;
  for (const char* const part : {"gemm_mixed_16x16x16", "not compared: only in A", "gemm_mixed_48x48x48", "not compared: only in B",
                                 "Of all kernels, which are not the same:"})
    EXPECT_NE(out.find(part), std::string::npos) << part << " is not in: " << out;
}

TEST_F(diff_command, says_that_machines_ran_other_code_and_what_limits_each) {
  const auto gemm = [&](const char* units, const char* name) {
    EXPECT_EQ(tcsim({"gemm", "--config", "turing", "--size", "64", "--no-data", "--set",
                     std::string("sm.sub_core.tensor_core.dot_product_units=") + units, "--stats", name})
                  .status,
              0);
  };
  gemm("4", "four.json");
  gemm("1", "one.json");
  const std::string out = tcsim({"diff", "four.json", "one.json", "--top", "0"}).out;
  for (const char* const part : {"Note: A and B ran different code (gemm_mixed_64x64x64: ", "What limits most:\n  A  "})
    EXPECT_NE(out.find(part), std::string::npos) << part << " is not in: " << out;
}

TEST_F(diff_command, says_that_runs_are_equal) {
  run("a.json");
  run("b.json");
  const auto result = tcsim({"diff", "a.json", "b.json", "--exit-code"});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.out.rfind("Equal: ", 0), 0U) << result.out;
}

TEST_F(diff_command, refuses_what_is_no_statistics) {
  run("a.json");
  file("text.json", "{\n  \"cycles\": 7,\n  what\n");
  file("other.json", R"({"cycles": 7, "instructions": 1})");
  expect_refusal({"diff", "a.json", "none.json", "--json", "new.json"}, {"none.json", "No such file"});
  expect_refusal({"diff", "text.json", "a.json"}, {"text.json:3:3: ", "what"});
  expect_refusal({"diff", "a.json", "other.json"}, {"other.json", "no object `config`", "tcsim run TRACE --config NAME --stats FILE"});
  file("page.html", "<!DOCTYPE html>\n");
  file("results.sqlite", std::string("SQLite format 3\0", 16));
  expect_refusal({"diff", "page.html", "a.json"}, {"page.html", "this is a page", "--stats"});
  expect_refusal({"diff", "a.json", "results.sqlite"}, {"results.sqlite", "results of a sweep", "tcsim results"});
  expect_refusal({"diff", "a.json", "a.json", "--json", "./a.json"}, {"a.json: the command reads this file"});
}

}  // namespace diff_command_test
