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
  EXPECT_EQ(json::serialize(summary_of(R"({"expect": [{"mismatches": 3}, {"mismatches": 4}]})")),
            R"({"expect":[{"mismatches":3},{"mismatches":4}],"mismatches":7})");
  EXPECT_EQ(json::serialize(summary_of(R"({"expect": []})")), R"({"expect":[]})");
}

}  // namespace
}  // namespace tcsim::statistics_summary_test
