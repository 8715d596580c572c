// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sweep_fixture.hpp"
#include "sweep_space.hpp"

namespace tcsim::sweep_mistakes_test {
namespace {

/// What is wrong with a sweep of a GEMM on `turing` with these further members, which start in line 2.
std::string mistake_with(const std::string& members) {
  return mistake_in(R"({"base": "turing", "workloads": [{"gemm": {"size": 32}}],)"
                    "\n" +
                    members + "}");
}

/// The same of one axis, which starts in column 11 of line 2.
std::string mistake_in_axis(const std::string& axis) { return mistake_with(R"("axes": [ )" + axis + "]"); }

void expect_begin(const std::string& message, const std::string& begin) { EXPECT_EQ(message.substr(0, begin.size()), begin); }

TEST(sweep_mistakes, of_the_file) {
  expect_begin(mistake_with(R"("metric": [])"), "s.json:2:1: sweep: unknown key \"metric\"; did you mean \"metrics\"?");
  EXPECT_EQ(mistake_in("{\n}"), "s.json:1:1: sweep: \"workloads\" is missing");
  EXPECT_EQ(mistake_in("{\"base\": 1,\n}"), "s.json:1:2: base: expected a string, got 1");
  expect_begin(mistake_in(R"({"base": "turin", "workloads": [{"gemm": {"size": 32}}]})"),
               "s.json:1:2: base: turin: there is no such file, nor a built-in configuration of this name; did you mean \"turing\"?");
  EXPECT_EQ(mistake_in(R"({"workloads": [{"gemm": {"size": 32}}]})"),
            "s.json:1:1: sweep: \"base\" is missing: a built-in configuration or a file");
  EXPECT_EQ(mistake_with(R"("name": "a/b")"), "s.json:2:1: name: must be good for the name of a file");
  EXPECT_EQ(mistake_with(R"("statistics": "ful")"),
            "s.json:2:1: statistics: unknown value \"ful\"; did you mean \"full\"? known values: summary, full");
  EXPECT_THROW(read_sweep("/nowhere/s.json"), tc::config::config_error);
}

TEST(sweep_mistakes, of_paths) {
  expect_begin(mistake_in_axis(R"({"path": "sm.sub_cor", "values": [1, 2]})"),
               "s.json:2:12: sm: unknown key \"sub_cor\"; did you mean \"sub_core\"? known keys:");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm..x", "values": [1, 2]})"), "s.json:2:12: sm..x: malformed path: a key is missing");
  EXPECT_EQ(mistake_in_axis(R"({"values": [1, 2]})"), "s.json:2:11: axes[0]: \"path\" is missing");
  expect_begin(mistake_in_axis(R"({"path": "workload.sise", "values": [1, 2]})"),
               "s.json:2:12: axes[0].path: workload \"gemm\": unknown parameter \"sise\"; did you mean \"size\"? known");
  expect_begin(
      mistake_in(R"({"base": "turing", "workloads": [{"gemm": {"size": 32}}, {"name": "t", "trace": {"files": ["t.trace"]}}],
                              "axes": [{"path": "workload.size", "values": [16, 32]}]})"),
      "s.json:2:41: axes[0].path: workload \"t\": unknown parameter \"size\"; known parameters: files, data, max_cycles; \"workloads\"");
  expect_begin(mistake_with(R"("set": {"sm.sub_cor": 1})"), "s.json:2:9: sm: unknown key \"sub_cor\"; did ");
  expect_begin(mistake_with(R"("set": {"workload.size": 1})"), "s.json:2:9: set[workload.size]: this sets pa");
  EXPECT_EQ(mistake_with(R"("set": {"sm.sub_cores": 1}, "axes": [{"path": "sm.sub_cores", "values": [1, 2]}])"),
            "s.json:2:9: set[sm.sub_cores]: changes nothing, for the axis \"sub_cores\" sets the same parameter");
}

TEST(sweep_mistakes, of_values) {
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": [1, "2"]})"),
            "s.json:2:50: sm.sub_cores: expected an integer from 0 to 4294967295, got \"2\"");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "range": {"from": 0.5, "to": 2}})"),
            "s.json:2:36: sm.sub_cores: expected an integer from 0 to 4294967295, got 0.5");
  expect_begin(mistake_in_axis(R"({"path": "sm.sub_core.register_file.mapping", "values": ["a", "b"]})"),
               "s.json:2:68: sm.sub_core.register_file.mapping: unknown value \"a\"; known");
  EXPECT_EQ(mistake_in_axis(R"({"path": "workload.size", "values": [16, -16]})"),
            "s.json:2:52: size: expected an integer from 0 to 4294967295, got -16");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": [1, 0]})"),
            "s.json:2:50: sm.sub_cores: must be from 1 to 64 (at sub_cores = 0)");
  EXPECT_EQ(mistake_with(R"("set": {"sm.sub_cores": 0})"), "s.json:2:9: sm.sub_cores: must be from 1 to 64");
  expect_begin(mistake_in_axis(R"({"path": "clock_mhz", "values": [1000, 2000]}, {"path": "sm.sub_cores", "values": [4, 64]})"),
               "s.json:2:97: sm.max_warps: must be ");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": []})"), "s.json:2:36: axes[0].values: an axis needs at least one value");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": [1, 1]})"), "s.json:2:50: axes[0].values[1]: 1 stands here twice");
  expect_begin(mistake_in(R"({"workloads": [{"gemm": {"size": 32}}], "axes": [{"bases": ["turing", "ampre"]}]})"),
               "s.json:1:71: axes[0].bases[1]: ampre: there is no such file, nor a built-in configuration of this name; did you mean "
               "\"ampere\"?");
}

TEST(sweep_mistakes, of_axes) {
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "name": "2x", "values": [1, 2]})"),
            "s.json:2:36: axes[0].name: \"2x\" cannot be the name of a column: give a \"name\" of letters, digits and _");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "name": "seconds", "values": [1, 2]})"),
            "s.json:2:36: axes[0].name: every sweep has a column \"seconds\": give another \"name\"");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "name": "select", "values": [1, 2]})"),
            "s.json:2:36: axes[0].name: \"select\" is a word of SQL: give another \"name\"");
  EXPECT_EQ(
      mistake_in_axis(R"({"path": "sm.sub_cores", "values": [1, 2]}, {"path": "sm.max_warps", "name": "Sub_Cores", "values": [8, 16]})"),
      "s.json:2:55: axes[1]: another axis has the name \"sub_cores\"; give this one a name of its own");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": [1, 2]}, {"path": "sm[sub_cores]", "name": "b", "values": [1, 4]})"),
            "s.json:2:55: axes[1]: the axis \"sub_cores\" varies the same parameter");
  EXPECT_EQ(mistake_in_axis(R"({"zip": [{"path": "sm.sub_cores", "values": [1, 2]}, {"path": "sm.max_warps", "values": [8]}]})"),
            "s.json:2:64: axes[0].zip[1]: has 1 value, but \"sub_cores\", which it is zipped with, has 2");
  EXPECT_EQ(mistake_in_axis(R"({"bases": ["volta", "ampere"]})"), "s.json:1:2: base: the axis \"base\" has the base configurations");
  expect_begin(mistake_in_axis(R"({"path": "sm.sub_cores", "workloads": ["gemm"], "values": [1, 2]})"),
               "s.json:2:36: axes[0].workloads: only an axis of a");
  EXPECT_EQ(mistake_in_axis(R"({"path": "workload.size", "workloads": ["gem"], "values": [16, 32]})"),
            "s.json:2:37: axes[0].workloads: unknown workload \"gem\"; did you mean \"gemm\"? known workloads: gemm");
}

TEST(sweep_mistakes, of_axes_that_change_nothing) {
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": [4]})"),
            "s.json:2:11: axes[0]: changes nothing: its only value is what there is without this axis");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": [2]})"), "nothing");
  EXPECT_EQ(mistake_in_axis(R"({"zip": [{"path": "sm.sub_cores", "values": [2, 2]}, {"path": "sm.max_warps", "values": [8, 16]}]})"),
            "s.json:2:20: axes[0].zip[0]: changes nothing: all its values give the same configuration and workloads");
  EXPECT_EQ(mistake_in(R"({"workloads": [{"gemm": {"size": 32}}], "axes": [{"bases": ["turing"]}]})"),
            "s.json:1:50: axes[0]: changes nothing: its only value is what there is without this axis");
}

TEST(sweep_mistakes, of_constraints) {
  const std::string axes = R"("axes": [{"path": "sm.sub_cores", "values": [1, 2]}, {"path": "sm.max_warps", "values": [8, 16]}],)"
                           "\n";
  expect_begin(mistake_with(axes + R"("constraints": ["sub_cores * max_wraps < 4"])"),
               "s.json:3:30: constraints[0]: unknown column \"max_wraps\"; did you mean \"max_warps");
  EXPECT_EQ(mistake_with(axes + R"("constraints": ["max_warps < 4 \t AND OR"])"), "s.json:3:39: constraints[0]: near \"OR\": syntax error");
  EXPECT_EQ(mistake_with(axes + R"("constraints": ["sub_cores > 1", "max_warps < 4"])"),
            "s.json:3:34: constraints[1]: leaves none of 4 points");
  EXPECT_EQ(mistake_with(axes + R"("constraints": ["sub_cores > 1", "sub_cores * max_warps < 9"])"),
            "s.json:3:17: constraints[0]: together the constraints leave none of 4 points: \"sub_cores > 1\" leaves 2, "
            "\"sub_cores * max_warps < 9\" leaves 1");
  EXPECT_EQ(mistake_with(axes + R"("constraints": ["abs(-9223372036854775807 - sub_cores) > 1"])"),
            "s.json:3:17: constraints[0]: integer overflow");
}

TEST(sweep_mistakes, of_workloads) {
  EXPECT_EQ(mistake_in(R"({"base": "turing", "workloads": []})"), "s.json:1:20: workloads: a sweep needs at least one workload");
  expect_begin(mistake_in(R"({"base": "turing", "workloads": [{"gem": {}}]})"),
               "s.json:1:35: workloads[0]: unknown key \"gem\"; did you mean \"gemm\"?");
  expect_begin(mistake_in(R"({"base": "turing", "workloads": [{"name": "a"}]})"),
               "s.json:1:34: workloads[0]: a workload has one of the keys trac");
  EXPECT_EQ(mistake_in(R"({"base": "turing", "workloads": [{"name": "a", "gemm": {"size": 16}}, {"name": "a", "gemm": {"size": 32}}]})"),
            "s.json:1:71: workloads[1]: another workload has the name \"a\"");
  EXPECT_EQ(mistake_in(R"({"base": "turing", "workloads": [{"gemm": {"size": 16}}, {"gemm": {"size": 16}}]})"),
            "s.json:1:58: workloads[1]: does the same as the workload \"gemm_1\"");
  expect_begin(mistake_in(R"({"base": "turing", "workloads": [{"gemm": {"sise": 16}}]})"),
               "s.json:1:44: workloads[0].gemm: unknown key \"sise\"; did you mean \"size\"? known");
  expect_begin(mistake_in(R"({"base": "turing", "workloads": [{"trace": {"files": ["no.trace"]}}]})"),
               "s.json:1:35: workloads[0].trace: no.trace: c");
  expect_begin(mistake_in(R"({"base": "turing", "workloads": [{"gemm": {"size": 32, "instructions": "wgmma"}}]})"),
               "s.json:1:35: workloads[0].gemm: ");
}

TEST(sweep_mistakes, of_metrics) {
  expect_begin(mistake_with(R"("metrics": ["cycle"])"), "s.json:2:13: metrics[0]: unknown metric \"cycle\"; did you mean \"cycles\"");
  expect_begin(mistake_with(R"("metrics": [{"name": "a", "expression": "1.0 / cyles"}])"),
               "s.json:2:48: metrics[0].expression: unknown column \"cyles\"; did you mean \"cyc");
  EXPECT_EQ(mistake_with(R"("metrics": [{"name": "a", "expression": "b + 1"}, {"name": "b", "expression": "a * 2"}])"),
            "s.json:2:13: metrics[0]: uses itself: a uses b uses a");
  EXPECT_EQ(mistake_with(R"("metrics": ["instructions_per_cycle", {"name": "cycles", "expression": "instructions_per_cycle * 2"}])"),
            "s.json:2:13: metrics[0]: uses itself: instructions_per_cycle uses cycles uses instructions_per_cycle");
  EXPECT_EQ(mistake_with(R"("metrics": ["cycles", "cycles"])"), "s.json:2:23: metrics[1]: another metric has the name \"cycles\"");
  expect_begin(mistake_with(R"("metrics": [{"name": "a"}])"), "s.json:2:13: metrics[0]: a metric has one of the keys statis");
  expect_begin(mistake_with(R"("axes": [{"path": "sm.sub_cores", "name": "cycles", "values": [1, 2]}], "metrics": ["cycles"])"),
               "s.json:2:85: metrics[0]: an axis has the name of the metric \"cycle");
  EXPECT_EQ(mistake_with(R"("metrics": ["cycles"], "pareto": ["cycles"])"), "s.json:2:24: pareto: names two metrics or axes, not 1");
  expect_begin(mistake_with(R"("metrics": ["cycles"], "pareto": ["cycles", "energy"])"),
               "s.json:2:45: pareto[1]: unknown metric \"energy\"; did you mean \"energy_nj\"? known metrics: cycles, time_us, ");
  expect_begin(mistake_with(R"("metrics": ["cycles"], "pareto": ["cycles", "tensor_shifts"])"),
               "s.json:2:45: pareto[1]: no workload of this sweep has \"tensor_shifts\"");
  EXPECT_EQ(mistake_with(R"("metrics": [{"name": "a", "statistic": "cycles", "better": "mor"}])"),
            "s.json:2:50: metrics[0].better: unknown value \"mor\"; did you mean \"more\"? known values: less, more, nearest_zero");
  EXPECT_EQ(mistake_with(R"("metrics": [{"name": "a", "statistic": "cycles", "better": "more", "more_is_better": true}])"),
            "s.json:2:68: metrics[0].more_is_better: stands beside \"better\", which says the same");
}

TEST(sweep_mistakes, of_relative_values) {
  EXPECT_EQ(
      mistake_in_axis(R"({"path": "sm.sub_cores", "values": ["x0.3", "x1"]})"),
      "s.json:2:47: axes[0].values[0]: sm.sub_cores: \"x0.3\" of the 4 that there is without the axis is 1.2, which is no whole number");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": ["x0.5", 2]})"),
            "s.json:2:55: axes[0].values[1]: \"x0.5\" and 2 are both 2 in turing");
  EXPECT_EQ(
      mistake_in_axis(R"({"path": "sm.sub_core.reuse_cache.enabled", "values": ["x0.5", "x1"]})"),
      "s.json:2:66: axes[0].values[0]: sm.sub_core.reuse_cache.enabled: \"x0.5\" is a multiple of what there is without the axis, and "
      "that is no number: true");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sm.sub_cores", "values": ["0.5x", "x1"]})"),
            "s.json:2:47: sm.sub_cores: expected an integer from 0 to 4294967295, got \"0.5x\"");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sms", "values": ["x0", "x1"]})"),
            "s.json:2:38: sms: must be from 1 to 1024 (at sms = 0 (\"x0\"))");
  EXPECT_EQ(mistake_in_axis(R"({"path": "sms", "range": {"from": "x1", "to": 4}})"),
            "s.json:2:51: axes[0].range.to: must be relative as the other end is, such as \"x2\"");
}

TEST(sweep_mistakes, of_fixed_code) {
  EXPECT_EQ(mistake_with(R"("fixed_code": 1)"), "s.json:2:1: fixed_code: expected true or false, got 1");
  EXPECT_EQ(mistake_in(R"({"base": "turing", "fixed_code": true, "workloads": [{"error": {}}]})"),
            "s.json:1:20: fixed_code: no workload of this sweep has code that is made for a machine, as gemm and conv have");
  expect_begin(mistake_with(R"("fixed_code": true, "axes": [{"path": "sm.shared_memory.bytes", "values": ["x0.125", "x1"]}])"),
               "s.json:1:35: workloads[0].gemm: this machine cannot run the code that was made for another one: ");
}

TEST(sweep_space, has_a_million_points_or_fewer) {
  const scratch_folder folder;
  const auto file_with = [&](int first, int second) {
    std::ofstream(folder.path() / "s.json") << fmt::format(R"({{"base": "turing", "workloads": [{{"gemm": {{"size": 32}}}}], "axes": [
                           {{"path": "clock_mhz", "range": {{"from": 1, "to": {}}}}},
                           {{"path": "workload.seed", "range": {{"from": 1, "to": {}}}}}]}})",
                                                           first, second);
    return folder.path() / "s.json";
  };
  EXPECT_EQ(all_points(sweep_file(file_with(1000, 1000))).size(), most_sweep_points);
  EXPECT_THROW(all_points(sweep_file(file_with(1000, 1001))), tc::config::config_error);
}

TEST(sweep_mistakes, of_too_many_points) {
  EXPECT_EQ(mistake_in_axis(
                R"({"path": "clock_mhz", "range": {"from": 1, "to": 2000}}, {"path": "workload.seed", "range": {"from": 1, "to": 2000}})"),
            "s.json:2:1: axes: these are 4000000 points before constraints; a sweep has at most 1000000");
}

}  // namespace
}  // namespace tcsim::sweep_mistakes_test
