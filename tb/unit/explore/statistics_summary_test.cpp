// SPDX-License-Identifier: Apache-2.0
#include "statistics_summary.hpp"

#include <gtest/gtest.h>

namespace tcsim::statistics_summary_test {
namespace {

namespace json = boost::json;

json::object summary_of(const char* text) { return statistics_summary(json::parse(text).as_object()); }

TEST(statistics_summary, adds_up_units_that_differ_in_their_index) {
  const json::object summary = summary_of(R"({"units": {
      "gpu.global_memory": {"reads": 5},
      "gpu.sm_0": {"ctas": 1}, "gpu.sm_1": {"ctas": 2},
      "gpu.sm_0.sub_core_0.tensor": {"instructions": 1},
      "gpu.sm_0.sub_core_0.tensor.b_buffer_0": {"fills": 10, "reads": 1},
      "gpu.sm_1.sub_core_3.tensor.b_buffer_1": {"fills": 7, "hit_rate": 0.5}}})");
  EXPECT_EQ(
      json::serialize(summary),
      R"({"units":{"global_memory":{"reads":5},"sm":{"ctas":3},"sub_core":{"tensor":{"instructions":1,"b_buffer":{"fills":17,"reads":1}}}}})");
}

TEST(statistics_summary, leaves_out_what_is_kept_elsewhere_or_grows_with_the_run) {
  EXPECT_EQ(json::serialize(
                summary_of(R"({"cycles": 7, "config": {"sms": 1}, "host": {}, "warps": [1], "clock_reads": [2], "stalls": {"a": 1}})")),
            R"({"cycles":7,"stalls":{"a":1}})");
}

TEST(statistics_summary, leaves_out_counts_of_what_the_machine_lacks) {
  const auto stalls_with = [](const std::string& units) {
    const json::object summary = summary_of((R"({"config": {"sm": {"sub_core": {"reuse_cache": {"enabled": true}}}},
                        "stalls": {"wait_mask": 0, "warpgroup_wait": 0, "mbarrier_wait": 0, "bulk_wait": 0, "tensor_memory_wait": 0,
                                   "tensor_allocation": 0, "tensor_queue": 0, "collector_full": 0}, "units": {)" +
                                             units + "}}")
                                                .c_str());
    std::string keys;
    for (const auto& stall : summary.at("stalls").as_object()) keys += std::string(stall.key()) + ' ';
    return keys;
  };
  EXPECT_EQ(stalls_with(""), "wait_mask ");
  EXPECT_EQ(stalls_with(R"("gpu.sm_0.sub_core_0.operand_fetch": {"gather_cycles": 0})"), "wait_mask collector_full ");
  EXPECT_EQ(stalls_with(R"("gpu.sm_0.barrier_unit": {"a": 0}, "gpu.sm_0.bulk_copy": {"a": 0}, "gpu.sm_0.sub_core_0.warpgroup": {"a": 0})"),
            "wait_mask warpgroup_wait mbarrier_wait bulk_wait ");
}

TEST(statistics_summary, has_hits_of_a_reuse_cache_where_there_is_one) {
  const auto hits_in = [](const std::string& enabled, const std::string& more) {
    const json::object summary = summary_of((R"({"config": {"sm": {"sub_core": {"reuse_cache": {"enabled": )" + enabled +
                                             R"(}}}}, "units": {"gpu.sm_0.sub_core_0.operand_fetch": {"reuse_hits": 0)" + more + "}}}")
                                                .c_str());
    return measured(summary, "units.sub_core.operand_fetch.reuse_hits").has_value();
  };
  EXPECT_TRUE(hits_in("true", ""));
  EXPECT_FALSE(hits_in("false", ""));
  EXPECT_FALSE(hits_in("true", R"(, "gather_cycles": 0)")) << "collectors leave it empty";
}

TEST(statistics_summary, adds_up_the_energy_of_units_that_differ_in_their_index) {
  EXPECT_EQ(json::serialize(summary_of(R"({"energy": {"total_nj": 6.75, "by_event": {"instruction": 6.75}, "units": {
      "gpu.sm_0": 0.25, "gpu.sm_0.sub_core_0.tensor": 0.5, "gpu.sm_0.sub_core_0.tensor.b_buffer_0": 1.5,
      "gpu.sm_131": 0.25, "gpu.sm_131.sub_core_3.tensor.b_buffer_1": 4.25}}})")),
            json::serialize(json::parse(R"({"energy": {"total_nj": 6.75, "by_event": {"instruction": 6.75}, "units": {
      "sm": {"nj": 0.5}, "sub_core": {"tensor": {"nj": 0.5, "b_buffer": {"nj": 5.75}}}}}})")));
}

TEST(statistics_summary, adds_up_the_causes_of_idle_cycles) {
  EXPECT_EQ(json::serialize(summary_of(R"({"utilisation": {"gpu.sm_0.a_0": {"idle": {"x": 1}}, "gpu.sm_0.a_1": {"idle": {"x": 2}}}})")),
            R"({"utilisation":{"a":{"idle":{"x":3}}}})");
}

TEST(statistics_summary, adds_up_what_is_not_as_expected) {
  EXPECT_EQ(json::serialize(summary_of(R"({"expect": [{"mismatches": 3, "undefined": 2}, {"mismatches": 4, "undefined": 8}]})")),
            R"({"expect":[{"mismatches":3,"undefined":2},{"mismatches":4,"undefined":8}],"mismatches":7,"undefined":10})");
  EXPECT_EQ(json::serialize(summary_of(R"({"expect": [{"mismatches": 3}]})")),
            R"({"expect":[{"mismatches":3}],"mismatches":3,"undefined":0})")
      << "of a version that did not count them";
  EXPECT_EQ(json::serialize(summary_of(R"({"expect": []})")), R"({"expect":[]})");
}

}  // namespace
}  // namespace tcsim::statistics_summary_test
