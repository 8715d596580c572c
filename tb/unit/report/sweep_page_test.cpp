// SPDX-License-Identifier: Apache-2.0
#include "sweep_page.hpp"

#include <scratch_folder.hpp>

#include <gtest/gtest.h>

namespace tcsim::sweep_page_test {
namespace {

namespace json = boost::json;

/// A sweep of one axis, of which one point is done, one failed, and one has not been run.
class sweep_page_test : public testing::Test {
 protected:
  sweep_page_test() {
    sweep_plan plan;
    plan.name = "<script>alert(1)</script>";
    plan.description = "</script><img src=x> \"&amp; {{data}}";
    plan.base_configuration = R"({"sms":1,"clock_mhz":1000})";
    plan.axes = {{"sms", "sms", "SMs", "streaming multiprocessors"}};
    plan.metrics = {{"cycles", metric::origin::statistic, "cycles", "cycles"}};
    for (int i = 0; i < 3; ++i) {
      plan.runs.push_back({std::to_string(i), "gemm", "gemm", "{}", R"({"sms":)" + std::to_string(i + 1) + R"(,"clock_mhz":1000})"});
      plan.points.push_back({static_cast<std::size_t>(i), {i + 1}, static_cast<std::size_t>(i)});
    }
    auto store = result_store::create(folder_.path() / "results.sqlite", plan);
    finished_run done;
    done.statistics = R"({"cycles":700,"instructions":5,"stalls":{"wait_mask":2},"issue_slots":{"slots":9,"issued":5,"no_warp":4}})";
    store.save(0, done);
    finished_run failed;
    failed.exit_status = 3;
    failed.message = "nobody answers";
    store.save(1, failed);
  }

  result_store results() const { return result_store::open(folder_.path() / "results.sqlite", result_store::access::read); }

  scratch_folder folder_;
};

TEST_F(sweep_page_test, never_interprets_names) {
  const std::string page = sweep_page(results());
  EXPECT_NE(page.find("<title>&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<img"), std::string::npos);
  EXPECT_NE(page.find("{{data}}"), std::string::npos) << "a name is not taken for a place in the template";
}

TEST_F(sweep_page_test, loads_nothing_and_names_the_licence_of_what_it_contains) {
  const std::string page = sweep_page(results());
  for (const char* const loads : {"<link", "src=\"", "@import", "url("}) EXPECT_EQ(page.find(loads), std::string::npos) << loads;
  EXPECT_NE(page.find("Chart.js v3"), std::string::npos);
  EXPECT_NE(page.find("Copyright (c) 2014-2022 Chart.js Contributors"), std::string::npos);
}

TEST_F(sweep_page_test, has_the_points_by_column_and_the_runs_that_they_share) {
  const json::object data = sweep_data(results());
  EXPECT_EQ(json::serialize(data.at("points")), R"({"number":[0,1,2],"run":[0,1,2],"axes":[[1,2,3]],"metrics":[[700,null,null]]})");
  EXPECT_EQ(data.at("runs").at(0).at("status"), 0);
  EXPECT_EQ(data.at("runs").at(1).at("status"), 3);
  EXPECT_EQ(data.at("runs").at(1).at("message"), "nobody answers");
  EXPECT_TRUE(data.at("runs").at(2).at("status").is_null());
}

TEST_F(sweep_page_test, has_notes_and_warnings) {
  auto store = result_store::open(folder_.path() / "results.sqlite", result_store::access::write);
  finished_run warned;
  warned.statistics = R"({"cycles":700,"warnings":["reads R1 too early"]})";
  store.save(2, warned);
  const json::object data = sweep_data(store);
  EXPECT_EQ(json::serialize(data.at("notes")), R"(["sms changes no measured metric where nothing else changes"])");
  EXPECT_EQ(json::serialize(data.at("runs").at(2).at("warnings")), R"(["reads R1 too early"])");
  EXPECT_EQ(json::serialize(data.at("runs").at(1).at("warnings")), "[]");
}

TEST_F(sweep_page_test, has_of_configurations_only_what_differs) {
  const json::object data = sweep_data(results());
  EXPECT_EQ(json::serialize(data.at("paths")), R"(["sms"])");
  EXPECT_EQ(json::serialize(data.at("base_values")), "[1]");
  EXPECT_EQ(json::serialize(data.at("configurations")), "[[],[[0,2]],[[0,3]]]");
}

TEST_F(sweep_page_test, has_a_count_for_each_cause_of_stalls) {
  const json::object data = sweep_data(results());
  const auto& causes = data.at("causes").as_array();
  const auto& stalls = data.at("stalls").at(0).as_array();
  const auto& slots = data.at("issue_slots").at(0).as_array();
  ASSERT_EQ(stalls.size(), causes.size());
  EXPECT_EQ(causes[0].at("key"), "issued");
  EXPECT_EQ(stalls[0], 5) << "each instruction takes a warp one cycle";
  EXPECT_EQ(causes[2].at("key"), "wait_mask");
  EXPECT_EQ(stalls[2], 2);
  EXPECT_EQ(slots[0], 5);
  EXPECT_EQ(slots[causes.size() - 1], 4);
  EXPECT_TRUE(data.at("stalls").at(1).is_null());
}

}  // namespace
}  // namespace tcsim::sweep_page_test
