// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"
#include "result_store.hpp"
#include "sqlite_connection.hpp"

namespace tcsim::test::sweep_repeat_test {
namespace {

namespace json = boost::json;

class sweep_repeat : public command_test {
 protected:
  /// A sweep of a product whose warps meet at barriers, so that chance has a part in it.
  void write_sweep(const std::string& axes, const std::string& more) const {
    file(
        "noisy.json",
        R"({"base": "ada", "set": {"sms": 1, "global_memory.hierarchy.enabled": false}, "workloads": [{"gemm": {"size": 128, "data": false}}],)" +
            more + R"("axes": [)" + axes + "]}");
  }

  /// The rows of the results with all columns.
  std::vector<json::object> rows(const std::string& view = "results", const std::string& order = "number") const {
    const auto store = result_store::open(folder() / "noisy.sqlite", result_store::access::read);
    std::vector<json::object> all;
    sqlite_statement statement(store.handle(), "SELECT * FROM " + view + " ORDER BY " + order);
    while (statement.next()) {
      json::object& row = all.emplace_back();
      for (int i = 0; i < statement.columns(); ++i) row[statement.column_name(i)] = statement.value(i);
    }
    return all;
  }

  static std::uint64_t number(const json::object& row, const char* column) { return row.at(column).to_number<std::uint64_t>(); }

  const std::string units = R"({"path": "sm.sub_core.tensor_core.dot_product_units", "name": "units", "values": [2, 4]})";
  const std::string latency = R"({"path": "global_memory.latency_cycles", "name": "latency", "values": [300, 301]})";
};

}  // namespace

TEST_F(sweep_repeat, gives_the_median_and_the_ends_of_the_runs_of_each_point) {
  write_sweep(units, R"("repeat": 4, "metrics": ["cycles", {"name": "twice", "expression": "cycles * 2"}],)");
  const outcome sweep = tcsim({"sweep", "noisy.json"});
  ASSERT_EQ(sweep.status, 0) << sweep.err;
  EXPECT_NE(sweep.out.find("8, 4 of each point"), std::string::npos) << sweep.out;
  const auto points = rows(), runs = rows("repeated_results", "number, repeat");
  ASSERT_EQ(points.size(), 2U);
  ASSERT_EQ(runs.size(), 8U);
  for (std::size_t point = 0; point < 2; ++point) {
    std::vector<std::uint64_t> cycles;
    for (std::size_t i = 0; i < 4; ++i) cycles.push_back(number(runs[4 * point + i], "cycles"));
    std::sort(cycles.begin(), cycles.end());
    EXPECT_EQ(number(points[point], "cycles"), cycles[1]);
    EXPECT_EQ(number(points[point], "cycles_least"), cycles[0]);
    EXPECT_EQ(number(points[point], "cycles_most"), cycles[3]);
    EXPECT_EQ(number(points[point], "twice"), 2 * cycles[1]);
    EXPECT_EQ(number(points[point], "twice_most"), 2 * cycles[3]);
    EXPECT_LT(cycles[0], cycles[3]);
  }
  const outcome shown = tcsim({"results", "noisy.sqlite"});
  EXPECT_NE(shown.out.find("cycles_least"), std::string::npos) << shown.out;
  EXPECT_EQ(shown.err.find("below the noise"), std::string::npos) << shown.err;
}

TEST_F(sweep_repeat, runs_what_jitter_runs) {
  write_sweep(latency, R"("repeat": 3, "metrics": ["cycles"],)");
  ASSERT_EQ(tcsim({"sweep", "noisy.json"}).status, 0);
  ASSERT_EQ(
      tcsim({"gemm", "--config", "ada", "--size", "128", "--no-data", "--set", "sms=1", "--set", "global_memory.hierarchy.enabled=false",
             "--set", "global_memory.latency_cycles=301", "--jitter", "3", "--stats", "s.json"})
          .status,
      0);
  const json::value statistics = json::parse(content_of(folder() / "s.json"));
  const auto runs = rows("repeated_results WHERE latency = 301", "repeat");
  ASSERT_EQ(runs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(number(runs[i], "cycles"), statistics.at("jitter").at("kernels").at(0).at("cycles").at(i).to_number<std::uint64_t>());
}

TEST_F(sweep_repeat, says_which_effects_are_below_the_noise) {
  write_sweep(latency, R"("repeat": 5, "metrics": ["cycles"],)");
  const outcome sweep = tcsim({"sweep", "noisy.json"});
  ASSERT_EQ(sweep.status, 0);
  EXPECT_NE((sweep.out + sweep.err).find("below the noise: latency changes these by less"), std::string::npos) << sweep.err;
}

TEST_F(sweep_repeat, keeps_the_runs_that_are_there) {
  write_sweep(latency, R"("metrics": ["cycles"],)");
  ASSERT_EQ(tcsim({"sweep", "noisy.json"}).status, 0);
  const auto once = rows();
  write_sweep(latency, R"("repeat": 3, "metrics": ["cycles"],)");
  const outcome more = tcsim({"sweep", "noisy.json", "--resume"});
  EXPECT_EQ(more.status, 0) << more.err;
  const auto runs = rows("repeated_results WHERE repeat = 0");
  ASSERT_EQ(runs.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(runs[i].at("cycles"), once[i].at("cycles"));
  EXPECT_EQ(rows("repeated_results").size(), 6U);
}

TEST_F(sweep_repeat, is_in_the_report) {
  write_sweep(units, R"("repeat": 3, "metrics": ["cycles"],)");
  ASSERT_EQ(tcsim({"sweep", "noisy.json"}).status, 0);
  ASSERT_EQ(tcsim({"report", "noisy.sqlite", "-o", "noisy.html"}).status, 0);
  const std::string page = content_of(folder() / "noisy.html");
  EXPECT_NE(page.find(R"("repeat":3)"), std::string::npos);
  EXPECT_NE(page.find(R"("least":[[)"), std::string::npos);
  EXPECT_NE(page.find(R"("most":[[)"), std::string::npos);
}

TEST_F(sweep_repeat, is_refused_where_it_means_nothing) {
  for (const char* const wrong : {"0", "1.5", "1001", "\"3\""}) {
    write_sweep(units, std::string("\"repeat\": ") + wrong + ",");
    expect_refusal({"sweep", "noisy.json"}, {"noisy.json:1:", "repeat"});
  }
  write_sweep(units, R"("repeat": 2, "metrics": ["cycles", {"name": "cycles_most", "expression": "cycles + 1"}],)");
  expect_refusal({"sweep", "noisy.json"}, {"noisy.json:1:", "repeat", "cycles_most"});
  file("study.json", R"({"base": "ada", "workloads": [{"error": {}}], "repeat": 3})");
  expect_refusal({"sweep", "study.json"}, {"study.json:1:", "repeat", "no workload of this sweep takes time"});
}

}  // namespace tcsim::test::sweep_repeat_test
