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
  EXPECT_NE(sweep.out.find("10: of each point that takes time 4 varied by chance and a plain one"), std::string::npos) << sweep.out;
  const auto points = rows(), runs = rows("repeated_results WHERE repeat > 0", "number, repeat");
  ASSERT_EQ(points.size(), 2U);
  ASSERT_EQ(runs.size(), 8U) << "the plain runs are no draws";
  EXPECT_EQ(rows("repeated_results WHERE repeat = 0 AND seed = 0").size(), 2U);
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
  EXPECT_EQ(shown.err.find("within chance"), std::string::npos) << shown.err;
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
  const auto runs = rows("repeated_results WHERE latency = 301 AND repeat > 0", "repeat");
  ASSERT_EQ(runs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(number(runs[i], "cycles"), statistics.at("jitter").at("kernels").at(0).at("cycles").at(i).to_number<std::uint64_t>());
}

TEST_F(sweep_repeat, says_which_neighbours_are_within_chance) {
  write_sweep(R"({"path": "global_memory.latency_cycles", "name": "latency", "values": [900, 300, 301, 302]})",
              R"("repeat": 5, "metrics": ["cycles"],)");
  const outcome sweep = tcsim({"sweep", "noisy.json"});
  ASSERT_EQ(sweep.status, 0) << sweep.err;
  EXPECT_NE(sweep.out.find("within chance between neighbours along latency, with how far runs of a point lie apart at most: cycles ("),
            std::string::npos)
      << sweep.out;
  EXPECT_NE(sweep.out.find("%) at 2 of 3 pairs (points 1 and 2, 2 and 3)\n"), std::string::npos)
      << "and not those of 302 and 900: " << sweep.out;
}

TEST_F(sweep_repeat, says_when_runs_are_too_few_or_single) {
  write_sweep(units, R"("repeat": 3, "metrics": ["cycles"],)");
  const std::string few = tcsim({"sweep", "noisy.json"}).out;
  EXPECT_NE(few.find("3 runs of a point are too few to tell whether differences are more than chance: \"repeat\" has to be 4 at least"),
            std::string::npos)
      << few;
  write_sweep(units, R"("metrics": ["cycles"],)");
  const std::string single = tcsim({"sweep", "noisy.json", "--fresh"}).out;
  EXPECT_NE(single.find("each point ran once: a difference of a few percent can be chance; \"repeat\": 5"), std::string::npos) << single;
}

TEST_F(sweep_repeat, lists_the_runs_of_points) {
  write_sweep(units, R"("repeat": 2, "metrics": ["cycles"],)");
  ASSERT_EQ(tcsim({"sweep", "noisy.json"}).status, 0);
  const outcome listed = tcsim({"results", "noisy.sqlite", "--runs", "--columns", "number,repeat,seed", "--format", "csv"});
  EXPECT_EQ(listed.out, "number,repeat,seed\n0,0,0\n0,1,1\n0,2,2\n1,0,0\n1,1,1\n1,2,2\n") << listed.err;
  EXPECT_NE(tcsim({"results", "noisy.sqlite", "--runs"}).out.find("cycles"), std::string::npos);
}

// The second warp stores where the first one reads, without a barrier.
TEST_F(sweep_repeat, names_the_runs_that_are_wrong_and_hides_no_mistake_by_a_median) {
  const std::string warp = "reg R2 0x1000\nreg R3 0\nreg R5 ",
                    code =
                        "/*0000*/ [B------:R-:W-:-:S15] STG.E.SYS [R2], R5 mask 00000001 @ 0x1000\n/*0010*/ [B------:R-:W-:-:S05] EXIT\n";
  std::size_t wrong = 0;
  for (const char* const value : {"1", "2"}) {
    file("race.trace", std::string("tcsim-trace 1\narch sm_75\nkernel race\ngrid 1 1 1\nblock 64 1 1\nmemory 0x1000 256 zero\n") +
                           "expect 0x1000 1 fill " + value + "\ncta 0 0 0\nwarp 0\n" + warp + "1\n" + code + "warp 1\n" + warp + "2\n" +
                           code);
    file("noisy.json",
         R"({"base": "turing", "workloads": [{"trace": {"files": ["race.trace"]}}], "repeat": 20, "metrics": ["mismatches"]})");
    if (tcsim({"sweep", "noisy.json", "--fresh"}).status != 1) continue;
    ++wrong;
    EXPECT_EQ(number(rows().at(0), "mismatches"), 1U) << value;
    const outcome failed = tcsim({"results", "noisy.sqlite", "--failed"});
    EXPECT_EQ(failed.out.rfind("number  repeat  seed  exit_status  message", 0), 0U) << failed.out;
  }
  EXPECT_GT(wrong, 0U);
}

TEST_F(sweep_repeat, reads_results_in_which_the_plain_run_was_counted) {
  write_sweep(units, R"("repeat": 4, "metrics": ["cycles"],)");
  ASSERT_EQ(tcsim({"sweep", "noisy.json"}).status, 0);
  const auto now = rows();
  {
    sqlite_connection old(folder() / "noisy.sqlite", sqlite_connection::access::write);
    old.execute(
        "PRAGMA user_version = 3; UPDATE sweep SET value = '5' WHERE key = 'repeat'; UPDATE sweep SET value = '3' WHERE key = 'format'");
    old.execute("DROP VIEW results; CREATE VIEW results AS SELECT 1");
  }
  EXPECT_EQ(rows(), now);
  const outcome more = tcsim({"sweep", "noisy.json", "--resume"});
  EXPECT_EQ(more.status, 0) << more.err;
  EXPECT_NE(more.out.find(": 0 runs in "), std::string::npos) << "all are there: " << more.out;
  EXPECT_EQ(rows(), now);
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
  EXPECT_EQ(rows("repeated_results").size(), 8U);
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
  write_sweep(units + R"(, {"path": "jitter.seed", "values": [1, 2]})", R"("repeat": 2,)");
  expect_refusal({"sweep", "noisy.json"}, {"noisy.json:1:", "axes[1]", "varies jitter.seed, and so does `repeat`"});
  file("still.json", R"({"base": "ada", "set": {"jitter": {"start_cycles": 0, "latency_cycles": 0, "ties": false}},
                         "workloads": [{"gemm": {"size": 64}}], "repeat": 3})");
  expect_refusal({"sweep", "still.json"}, {"still.json:2:", "repeat", "nothing varies"});
  write_sweep(R"({"path": "global_memory.latency_cycles", "name": "latency", "range": {"from": 1, "to": 200}})", R"("repeat": 1000,)");
  expect_refusal({"sweep", "noisy.json"}, {"noisy.json:1:", "repeat", "these are 200200 runs, 1001 of each of 200 points", "100000"});
  file("study.json", R"({"base": "ada", "workloads": [{"error": {}}], "repeat": 3})");
  expect_refusal({"sweep", "study.json"}, {"study.json:1:", "repeat", "no workload of this sweep takes time"});
}

}  // namespace tcsim::test::sweep_repeat_test
