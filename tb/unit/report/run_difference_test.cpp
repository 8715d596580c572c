// SPDX-License-Identifier: Apache-2.0
#include "run_difference.hpp"

#include <gtest/gtest.h>

namespace tcsim::run_difference_test {
namespace {

namespace json = boost::json;

/// Statistics of a small run of two sub-cores.
json::object a_run() {
  return json::parse(R"({
    "config": {"sms": 1, "sm": {"sub_cores": 2}}, "trace": {"kernel": "k"}, "status": "finished",
    "cycles": 100, "instructions": 40, "time_us": 0.5, "expect": [{"mismatches": 0}, {"mismatches": 2}],
    "stalls": {"wait_mask": 50, "bank_conflict": 10, "no_warp": 0},
    "issue_slots": {"slots": 200, "issued": 40, "wait_mask": 50, "bank_conflict": 10, "no_warp": 100},
    "units": {"gpu.sm_0.sub_core_0.tensor": {"instructions": 8, "busy_cycles": 40, "idle_wait_mask": 60},
              "gpu.sm_0.sub_core_1.tensor": {"instructions": 8, "busy_cycles": 40, "idle_wait_mask": 60},
              "gpu.sm_0.shared_memory": {"reads": 10, "busy_cycles": 20, "wavefronts": 1000}},
    "host": {"seconds": 1}})")
      .as_object();
}

std::string names(const std::vector<counter_difference>& counters) {
  std::string text;
  for (const auto& each : counters) text += each.unit + '.' + each.count.name + ' ';
  return text;
}

TEST(run_difference, of_equal_runs_is_empty_whatever_they_took_the_host_and_recorded) {
  json::object b = a_run();
  b["host"].as_object()["seconds"] = 2;
  b["pictures"] = json::object();
  const auto difference = differences_of_runs(a_run(), b);
  EXPECT_TRUE(difference.equal);
  EXPECT_TRUE(difference.results.empty() && difference.counters.empty() && difference.stalls.rows.empty());
  EXPECT_TRUE(difference.configuration.empty() && difference.run.empty() && difference.other_keys.empty());
}

TEST(run_difference, names_the_keys_whose_differences_it_does_not_show) {
  json::object b = a_run();
  b["cycles"] = 101;
  b["clock_reads"] = json::array{1};
  const auto difference = differences_of_runs(a_run(), b);
  EXPECT_FALSE(difference.equal);
  EXPECT_EQ(difference.other_keys, std::vector<std::string>{"clock_reads"});
}

TEST(run_difference, has_results_parameters_and_what_was_run) {
  json::object b = a_run();
  b["cycles"] = 125;
  b["expect"].as_array()[1].as_object()["mismatches"] = 0;
  b["config"].as_object()["sm"].as_object()["sub_cores"] = 4;
  b["trace"].as_object()["kernel"] = "other";
  const auto difference = differences_of_runs(a_run(), b);
  ASSERT_EQ(difference.results.size(), 2U);
  EXPECT_EQ(difference.results[0].name, "cycles");
  EXPECT_EQ(difference.results[0].change(), 25);
  EXPECT_EQ(difference.results[0].percent(), 25);
  EXPECT_EQ(difference.results[1].name, "mismatches");
  EXPECT_EQ(difference.results[1].a, 2);
  ASSERT_EQ(difference.configuration.size(), 1U);
  EXPECT_EQ(difference.configuration[0].path, "sm.sub_cores");
  ASSERT_EQ(difference.run.size(), 1U);
  EXPECT_EQ(difference.run[0].path, "trace.kernel");
}

TEST(run_difference, has_causes_with_their_shares_the_largest_change_first) {
  json::object b = a_run();
  b["stalls"] = {{"wait_mask", 45}, {"bank_conflict", 110}};
  const auto stalls = differences_of_runs(a_run(), b).stalls;
  EXPECT_EQ(stalls.a_total, 100) << "issued and stalled";
  EXPECT_EQ(stalls.b_total, 195);
  ASSERT_EQ(stalls.rows.size(), 2U);
  EXPECT_EQ(stalls.rows[0].cycles.name, "bank_conflict");
  EXPECT_EQ(stalls.rows[0].a_percent, 10);
  EXPECT_DOUBLE_EQ(stalls.rows[0].b_percent, 100 * 110.0 / 195);
  EXPECT_EQ(stalls.rows[1].cycles.change(), -5);
}

TEST(run_difference, ranks_shares_of_the_cycles_before_counts_and_the_split_of_idle_cycles_last) {
  json::object b = a_run();
  json::object& units = b["units"].as_object();
  units["gpu.sm_0.sub_core_0.tensor"] = {{"instructions", 16}, {"busy_cycles", 80}, {"idle_wait_mask", 0}};
  units["gpu.sm_0.shared_memory"] = {{"reads", 11}, {"busy_cycles", 50}, {"wavefronts", 1400}};
  const auto counters = differences_of_runs(a_run(), b).counters;
  EXPECT_EQ(names(counters),
            "shared_memory.busy_cycles tensor.busy_cycles tensor.instructions shared_memory.wavefronts shared_memory.reads "
            "tensor.idle_wait_mask ");
  EXPECT_EQ(counters[1].a_units, 2U);
  EXPECT_EQ(counters[1].count.a, 80) << "both added up";
  EXPECT_EQ(counters[1].count.b, 120);
  EXPECT_EQ(names(differences_of_runs(a_run(), b, counters_of::units).counters).find("sub_core_1"), std::string::npos);
}

TEST(run_difference, lists_units_that_only_one_run_has) {
  json::object b = a_run();
  b["units"].as_object().erase("gpu.sm_0.shared_memory");
  b["units"].as_object()["gpu.sm_0.tensor_memory"] = {{"shifts", 3}};
  const auto difference = differences_of_runs(a_run(), b);
  EXPECT_EQ(difference.only_in_a, std::vector<std::string>{"gpu.sm_0.shared_memory"});
  EXPECT_EQ(difference.only_in_b, std::vector<std::string>{"gpu.sm_0.tensor_memory"});
  EXPECT_TRUE(difference.counters.empty());
}

}  // namespace
}  // namespace tcsim::run_difference_test
