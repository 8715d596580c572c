// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/json_document.hpp>

#include "sweep_fixture.hpp"
#include "sweep_plan.hpp"

namespace tcsim::sweep_planner_test {
namespace {

/// Values of all points, as JSON.
std::string values_of(const sweep_plan& plan) {
  boost::json::array all;
  for (const sweep_point& point : plan.points) all.push_back(boost::json::array(point.values.begin(), point.values.end()));
  return boost::json::serialize(all);
}

TEST(sweep_planner, combines_the_axes_and_workloads) {
  const sweep_plan plan = plan_of(R"({
    "base": "turing",
    "workloads": [{"gemm": {"size": 32}}, {"name": "f16", "gemm": {"size": 32, "precision": "f16"}}],
    "axes": [{"path": "sm.sub_cores", "values": [1, 2]}, {"path": "sm.sub_core.register_file.read_ports", "name": "ports", "values": [1, 2]}]})");
  EXPECT_EQ(plan.name, "s");
  EXPECT_EQ(values_of(plan), "[[1,1],[1,2],[2,1],[2,2],[1,1],[1,2],[2,1],[2,2]]");
  ASSERT_EQ(plan.runs.size(), 8U);
  EXPECT_EQ(plan.points[5].number, 5U);
  EXPECT_EQ(plan.points[5].run, 5U);
  EXPECT_EQ(plan.runs[3].workload, "gemm");
  EXPECT_EQ(plan.runs[4].workload, "f16");
  EXPECT_EQ(plan.runs[3].configuration, plan.runs[7].configuration);
  const auto configuration = boost::json::parse(plan.runs[7].configuration);
  EXPECT_EQ(configuration.at("sm").at("sub_cores"), 2);
  EXPECT_EQ(configuration.at("sm").at("sub_core").at("register_file").at("read_ports"), 2);
  EXPECT_EQ(boost::json::parse(plan.runs[7].parameters).at("precision"), "f16");
}

TEST(sweep_planner, describes_what_it_is_going_to_do) {
  const sweep_plan plan = plan_of(R"({
    // Comments are welcome.
    "name": "cores", "base": "turing", "set": {"sm.max_ctas": 8},
    "workloads": [{"gemm": {"size": 32}}],
    "axes": [{"path": "sm.sub_cores", "log_range": {"from": 1, "to": 4}}, {"path": "workload.seed", "range": {"from": 1, "to": 10}}],
    "constraints": ["seed < 10 OR sub_cores = 4"],
    "metrics": [{"name": "speed", "expression": "1.0 / cycles", "unit": "1/cycles", "more_is_better": true}],
    "pareto": ["speed", "sub_cores"]})");
  EXPECT_EQ(sweep_plan_text(plan), R"(cores: 28 points, 28 runs
base       turing
workloads  gemm (28 points)
hazards    the scoreboard keeps dependent instructions apart where control codes do not, at all points

AXIS       VALUES                          UNIT       PARAMETER      MEANING
sub_cores  1, 2, 4                         sub-cores  sm.sub_cores   sub-cores; warp w runs on sub-core w modulo this
seed       1, 2, 3, 4, ... 10 (10 values)             workload.seed  what the random A and B depend on

METRIC  FROM          UNIT      MEANING
cycles  cycles        cycles    from the start of the first kernel to the end of the last
speed   1.0 / cycles  1/cycles
)");
  EXPECT_EQ(plan.pareto, (std::vector<std::string>{"speed", "sub_cores"}));
  EXPECT_EQ(boost::json::parse(plan.base_configuration).at("sm").at("max_ctas"), 8);
  EXPECT_EQ(plan.source.find("Comments are welcome"), plan.source.find("//") + 3);
}

/// The rule that each run's configuration asks for.
std::set<std::string> policies_of(const sweep_plan& plan) {
  std::set<std::string> policies;
  for (const planned_run& run : plan.runs)
    policies.emplace(boost::json::parse(run.configuration).at_pointer("/sm/sub_core/issue/hazards").as_string());
  return policies;
}

TEST(sweep_planner, compares_all_points_under_one_rule_for_hazards) {
  const sweep_plan latencies = plan_of(R"({
    "base": "turing", "workloads": [{"gemm": {"size": 32}}],
    "axes": [{"path": "sm.sub_core.pipes.fp64.latency_cycles", "values": ["x1", 77]}]})");
  EXPECT_EQ(latencies.hazards, "interlock");
  EXPECT_EQ(policies_of(latencies), std::set<std::string>{"interlock"}) << "also at the point of the preset";
  const sweep_plan sizes = plan_of(R"({
    "base": "turing", "workloads": [{"gemm": {"size": 32}}], "axes": [{"path": "sms", "values": [1, 2]}]})");
  EXPECT_EQ(sizes.hazards, "silicon");
  EXPECT_EQ(policies_of(sizes), std::set<std::string>{"automatic"});
  const sweep_plan bases =
      plan_of(R"({"workloads": [{"gemm": {"size": 32}}], "axes": [{"name": "machine", "bases": ["turing", "collectors"]}]})");
  EXPECT_EQ(bases.hazards, "interlock") << "one of them has no other rule";
  EXPECT_EQ(policies_of(bases), std::set<std::string>{"interlock"});
}

TEST(sweep_planner, lets_a_sweep_file_compare_the_rules_for_hazards) {
  const sweep_plan plan = plan_of(R"({
    "base": "turing", "workloads": [{"gemm": {"size": 32}}],
    "axes": [{"path": "sm.sub_core.issue.hazards", "values": ["silicon", "interlock"]}]})");
  EXPECT_EQ(plan.hazards, "mixed");
  EXPECT_EQ(policies_of(plan), (std::set<std::string>{"interlock", "silicon"}));
  const sweep_plan studies = plan_of(R"({"base": "turing", "workloads": [{"error": {}}]})");
  EXPECT_EQ(studies.hazards, "") << "nothing runs";
}

TEST(sweep_planner, moves_zipped_axes_together) {
  const sweep_plan plan = plan_of(R"({
    "base": "turing", "workloads": [{"gemm": {"size": 32}}],
    "axes": [{"zip": [{"path": "sm.sub_cores", "values": [1, 2, 2]}, {"path": "sm.max_warps", "values": [8, 8, 32]}]},
             {"path": "workload.data", "values": [true, false]}]})");
  EXPECT_EQ(values_of(plan), "[[1,8,true],[1,8,false],[2,8,true],[2,8,false],[2,32,true],[2,32,false]]");
}

TEST(sweep_planner, varies_the_base_configuration_and_what_only_some_workloads_have) {
  const sweep_plan plan = plan_of(R"({
    "workloads": [{"name": "a", "gemm": {"size": 32}}, {"name": "b", "gemm": {"size": 64}}],
    "axes": [{"name": "machine", "bases": ["turing", "volta"]}, {"path": "workload.seed", "workloads": ["b"], "values": [1, 2]}],
    "constraints": ["seed = 1 OR machine = 'volta'"]})");
  EXPECT_EQ(values_of(plan), R"([["turing",null],["volta",null],["turing",1],["volta",1],["volta",2]])");
  EXPECT_EQ(plan.base, "turing");
  EXPECT_EQ(boost::json::parse(plan.runs[4].configuration).at("name"), "volta");
}

TEST(sweep_planner, takes_relative_values_from_the_base_or_the_workload) {
  const sweep_plan plan = plan_of(R"({
    "workloads": [{"gemm": {"size": 32}}],
    "axes": [{"name": "machine", "bases": ["turing", "hopper"]}, {"path": "sm.shared_memory.bytes", "name": "shared", "values": ["x0.5", "x1"]},
             {"path": "workload.size", "values": ["x2"]}],
    "constraints": ["shared < 200000"]})");
  EXPECT_EQ(values_of(plan), R"([["turing",32768,64],["turing",65536,64],["hopper",116736,64]])");
  EXPECT_EQ(boost::json::parse(plan.runs[0].configuration).at("sm").at("shared_memory").at("bytes"), 32768);
  EXPECT_EQ(boost::json::parse(plan.runs[0].parameters).at("size"), 64);
  EXPECT_NE(sweep_plan_text(plan).find("base       \"turing\", \"hopper\", by the axis machine"), std::string::npos)
      << sweep_plan_text(plan);
}

TEST(sweep_planner, keeps_the_code_of_the_base_on_all_machines) {
  const std::string text = R"({"base": "turing", "set": {"sm.max_ctas": 8}, "workloads": [{"gemm": {"size": 32}}, {"error": {}}],
                               "axes": [{"path": "sm.sub_core.tensor_core.dot_product_units", "name": "units", "values": [4, 2]}], )";
  const sweep_plan plan = plan_of(text + R"("fixed_code": true})");
  ASSERT_EQ(plan.runs.size(), 4U);
  EXPECT_EQ(plan.runs[0].code_configuration, "") << "the base runs its own code";
  EXPECT_EQ(plan.runs[1].code_configuration, plan.base_configuration);
  EXPECT_EQ(plan.runs[2].code_configuration, "") << "a study has no code";
  const sweep_plan usual = plan_of(text + R"("fixed_code": false})");
  EXPECT_EQ(usual.runs[0].key, plan.runs[0].key);
  EXPECT_NE(usual.runs[1].key, plan.runs[1].key);
  EXPECT_EQ(usual.runs[1].code_configuration, "");
}

TEST(sweep_planner, keeps_the_code_of_each_base) {
  const sweep_plan plan = plan_of(R"({"fixed_code": true, "workloads": [{"gemm": {"size": 32}}],
      "axes": [{"bases": ["turing", "ampere"]}, {"path": "sms", "values": [1, 2]}]})");
  ASSERT_EQ(plan.runs.size(), 4U);
  for (const planned_run& run : plan.runs)
    EXPECT_EQ(boost::json::parse(run.code_configuration).at("name"), boost::json::parse(run.configuration).at("name"));
}

TEST(sweep_planner, adds_what_only_the_front_names) {
  const sweep_plan plan = plan_of(
      R"({"base": "turing", "workloads": [{"gemm": {"size": 32}}], "metrics": ["cycles"], "pareto": ["cycles", "tensor_utilisation"]})");
  std::vector<std::string> names;
  for (const metric& each : plan.metrics) names.push_back(each.name);
  EXPECT_EQ(names, (std::vector<std::string>{"cycles", "tensor_busy_cycles", "tensor_idle_cycles", "tensor_utilisation"}));
  EXPECT_EQ(plan.pareto, (std::vector<std::string>{"cycles", "tensor_utilisation"}));
}

TEST(sweep_planner, runs_equal_points_once) {
  const sweep_plan plan = plan_of(R"({
    "workloads": [{"gemm": {"size": 32}}],
    "axes": [{"bases": ["turing", ")" TC_SOURCE_DIR R"(/configs/turing.json", "volta"]}]})");
  ASSERT_EQ(plan.points.size(), 3U);
  ASSERT_EQ(plan.runs.size(), 2U);
  EXPECT_EQ(plan.points[0].run, 0U);
  EXPECT_EQ(plan.points[1].run, 0U);
  EXPECT_EQ(plan.points[2].run, 1U);
}

TEST(sweep_planner, gives_a_run_a_key_of_what_is_run) {
  const auto keys = [](const std::string& text) {
    std::set<std::string> all;
    for (const planned_run& run : plan_of(text).runs) all.insert(run.key);
    return all;
  };
  const auto plain = keys(R"({"base": "turing", "workloads": [{"gemm": {"size": 32, "seed": 2}}],
                             "set": {"sm.max_ctas": 8, "sm.max_warps": 16}, "axes": [{"path": "sm.sub_cores", "values": [1, 2]}]})");
  const auto in_another_order =
      keys(R"({"axes": [{"values": [2, 1], "path": "sm.sub_cores"}], "set": {"sm.max_warps": 16, "sm.max_ctas": 8},
                                         "workloads": [{"gemm": {"seed": 2, "size": 32}, "name": "other"}], "base": "turing"})");
  const auto full = keys(R"({"base": "turing", "workloads": [{"gemm": {"size": 32, "seed": 2}}], "statistics": "full",
                             "set": {"sm.max_ctas": 8, "sm.max_warps": 16}, "axes": [{"path": "sm.sub_cores", "values": [1, 2]}]})");
  EXPECT_EQ(plain.size(), 2U);
  EXPECT_EQ(plain, in_another_order);
  EXPECT_EQ(full.size(), 2U);
  EXPECT_EQ(full.count(*plain.begin()), 0U);
}

TEST(sweep_planner, repeats_the_runs_of_each_point_by_chance_alone) {
  const sweep_plan plan =
      plan_of(R"({"base": "turing", "workloads": [{"gemm": {"size": 32}}, {"error": {"k": 16, "dots": 10}}], "repeat": 3,
                                      "axes": [{"path": "sm.sub_cores", "values": [1, 2]}]})");
  EXPECT_EQ(plan.repeat, 3U);
  ASSERT_EQ(plan.points.size(), 4U);
  EXPECT_EQ(plan.runs.size(), 10U) << "chance has no part in the study";
  for (const sweep_point& point : plan.points) {
    const bool takes_time = plan.runs[point.run].kind == "gemm";
    ASSERT_EQ(plan.repeats[point.run].size(), takes_time ? 3U : 0U);
    EXPECT_NE(plan.runs[point.run].configuration.find(R"("seed": 0)"), std::string::npos);
    std::string as_is = plan.runs[point.run].configuration;
    for (std::size_t i = 0; i < plan.repeats[point.run].size(); ++i) {
      EXPECT_EQ(plan.repeats[point.run][i], point.run + i + 1) << "behind each other";
      std::string varied = plan.runs[plan.repeats[point.run][i]].configuration;
      const std::string seed = R"("seed": )" + std::to_string(i + 1);
      const auto at = varied.find(seed);
      ASSERT_NE(at, std::string::npos);
      EXPECT_EQ(varied.replace(at, seed.size(), R"("seed": 0)"), as_is);
    }
  }
}

TEST(sweep_planner, counts_the_runs_that_chance_varies_without_planning_them) {
  const scratch_folder folder;
  std::ofstream(folder.path() / "s.json") << R"({"base": "turing", "workloads": [{"gemm": {"size": 32}}, {"error": {"k": 16}}],
                                                 "repeat": 1000, "axes": [{"path": "sm.sub_cores", "values": [1, 2]}]})";
  const sweep_plan plan = read_sweep(folder.path() / "s.json", false, repeat_plan::counted);
  EXPECT_EQ(plan.runs.size(), 4U);
  EXPECT_EQ(plan.counted_runs, 2000U);
  EXPECT_NE(sweep_plan_text(plan).find("4 points, 2004 runs"), std::string::npos) << sweep_plan_text(plan);
}

TEST(sweep_planner, plans_the_examples) {
  std::size_t examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(TC_SOURCE_DIR "/configs/sweeps")) {
    EXPECT_EQ(read_sweep(entry.path()).name, entry.path().stem()) << entry.path();
    EXPECT_EQ(sweep_plan_text(read_sweep(entry.path().stem())), sweep_plan_text(read_sweep(entry.path()))) << "by name";
    ++examples;
  }
  EXPECT_GE(examples, 5U);
}

}  // namespace
}  // namespace tcsim::sweep_planner_test
