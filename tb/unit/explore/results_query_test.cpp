// SPDX-License-Identifier: Apache-2.0
#include "results_query.hpp"

#include <scratch_folder.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "exit_status.hpp"
#include "small_plan.hpp"
#include "sweep_notes.hpp"

namespace tcsim::results_query_test {
namespace {

using test::done_in;
using test::small_plan;

class results_query_test : public testing::Test {
 protected:
  /// Four points: of the third the run failed, of the fourth it is missing.
  results_query_test() : store_(result_store::create(folder_.path() / "results.sqlite", small_plan(4))) {
    store_.save(0, done_in(30));
    store_.save(1, done_in(10));
    store_.save(2, {3, "stuck, \"for ever\"", "", "", {}});
  }

  std::string csv(const results_query& query) const { return csv_of(find_results(store_, query)); }

  void expect_refused(const results_query& query, const std::string& message) const {
    try {
      find_results(store_, query);
      FAIL() << "nothing was refused";
    } catch (const usage_error& error) {
      EXPECT_EQ(error.what(), message);
    }
  }

  scratch_folder folder_;
  result_store store_;
};

TEST_F(results_query_test, shows_what_tells_points_apart) {
  EXPECT_EQ(csv({}), "number,banks,cycles,waits,per_bank,exit_status\n0,0,30,1,,0\n1,1,10,1,10.0,0\n2,2,,,,3\n3,3,,,,\n");
  auto all_well = result_store::create(folder_.path() / "well", small_plan(1));
  all_well.save(0, done_in(7));
  EXPECT_EQ(csv_of(find_results(all_well, {})), "number,banks,cycles,waits,per_bank\n0,0,7,1,\n");
}

TEST_F(results_query_test, has_columns_for_programs_that_do_not_depend_on_the_values) {
  results_query all;
  all.all_columns = true;
  const std::string head = "number,workload,banks,cycles,waits,per_bank,exit_status,warnings\n";
  EXPECT_EQ(csv(all).substr(0, head.size()), head);
  auto all_well = result_store::create(folder_.path() / "well", small_plan(1));
  all_well.save(0, done_in(7));
  EXPECT_EQ(csv_of(find_results(all_well, all)), head + "0,gemm,0,7,1,,0,0\n");
}

TEST_F(results_query_test, filters_sorts_and_limits) {
  results_query query;
  query.columns = {"cycles", "number"};
  query.order = {{"cycles", true}};
  query.limit = 3;
  EXPECT_EQ(csv(query), "cycles,number\n30,0\n10,1\n,2\n");
  query.where = "cycles < 20 OR banks = 3 -- with a comment";
  EXPECT_EQ(csv(query), "cycles,number\n10,1\n,3\n");
}

TEST_F(results_query_test, says_why_runs_failed) {
  results_query query;
  query.only_failed = true;
  EXPECT_EQ(csv(query), "number,banks,exit_status,message\n2,2,3,\"stuck, \"\"for ever\"\"\"\n");
}

TEST_F(results_query_test, is_exact_for_programs_and_short_for_people) {
  const results_rows rows{{"name", "x"}, {{"a,b", 0.1 + 0.2}, {"line\nfeed", nullptr}, {"", 1e300 * 1e10}, {"n", std::int64_t{1} << 60}}};
  EXPECT_EQ(csv_of(rows), "name,x\n\"a,b\",0.30000000000000004\n\"line\nfeed\",\n,inf\nn,1152921504606846976\n");
  EXPECT_EQ(json_lines_of(rows),
            "{\"name\": \"a,b\", \"x\": 0.30000000000000004}\n{\"name\": \"line\\nfeed\", \"x\": null}\n{\"name\": \"\", \"x\": null}\n"
            "{\"name\": \"n\", \"x\": 1152921504606846976}\n");
  EXPECT_EQ(table_of({{"name", "x"}, {{"ab", 0.1 + 0.2}, {"c", nullptr}}}), "name    x\nab    0.3\nc       -\n");
}

TEST_F(results_query_test, names_what_it_does_not_know) {
  results_query query;
  query.columns = {"cycels"};
  expect_refused(query,
                 "unknown column \"cycels\"; did you mean \"cycles\"? known columns: number, workload, banks, cycles, waits, "
                 "per_bank, exit_status, message, seconds, run, warnings");
  query.columns = {};
  query.where = "banks + (cycles";
  expect_refused(query, "--where, at character 16: the expression is not complete");
  query.where = "1) OR (1";
  EXPECT_THROW(find_results(store_, query), usage_error);
}

TEST_F(results_query_test, counts_warnings_if_there_are_any) {
  auto store = result_store::create(folder_.path() / "warned", small_plan(3));
  store.save(0, done_in(7));
  store.save(1, {0, "", R"({"cycles": 9, "warnings": ["reads R1", "reads R2"]})", "", {}});
  EXPECT_EQ(csv_of(find_results(store, {})),
            "number,banks,cycles,waits,per_bank,exit_status,warnings\n0,0,7,1,,0,0\n1,1,9,,9.0,0,2\n2,2,,,,,\n");
  results_query warned;
  warned.columns = {"number"};
  warned.only_warned = true;
  EXPECT_EQ(csv_of(find_results(store, warned)), "number\n1\n");
}

TEST(sweep_warnings, are_there_once_with_their_points) {
  const scratch_folder folder;
  auto store = result_store::create(folder.path() / "results.sqlite", small_plan(4));
  store.save(0, done_in(7));
  store.save(1, {0, "", R"({"warnings": ["late", "early"]})", "", {}});
  store.save(3, {1, "wrong", R"({"warnings": ["late"]})", "", {}});
  std::vector<std::string> texts;
  for (const sweep_warning& warning : warnings_in(store)) texts.push_back(text_of(warning));
  EXPECT_EQ(texts, (std::vector<std::string>{"point 1 and 1 other: late", "point 1: early"}));
}

TEST(sweep_notes, tell_points_that_draw_more_than_the_part_has) {
  const scratch_folder folder;
  auto store = result_store::create(folder.path() / "results.sqlite", small_plan(4));
  const auto done = [](const char* excess) {
    return finished_run{0, "", fmt::format(R"({{"cycles": 9, "beyond_the_model": [{}]}})", excess), "", {}};
  };
  store.save(0, done_in(7));
  store.save(1, done(R"({"memory": "dram", "factor": 1.25}, {"memory": "l2", "factor": 1.5})"));
  store.save(2, done(R"({"kernel": 0, "memory": "dram", "factor": 2.5}, {"kernel": 1, "memory": "dram", "factor": 1.1})"));
  std::vector<std::string> notes;
  for (const std::string& note : notes_on(store))
    if (note.rfind("beyond the model", 0) == 0) notes.push_back(note);
  EXPECT_EQ(notes,
            (std::vector<std::string>{"beyond the model: 2 points draw more from DRAM than the part has, point 2 2.50 times as much; "
                                      "silicon cannot reach such cycles",
                                      "beyond the model: 1 point draws more from the L2 cache than the part has, point 1 1.50 times "
                                      "as much; silicon cannot reach such cycles"}));
}

/// A run of code with this name, which has so many NOPs.
finished_run done_with_code(const std::string& name, int nops) {
  return {
      0,
      "",
      fmt::format(R"({{"cycles":{},"workload":{{"code":{{"id":"{}","instructions":{},"nops":{}}}}}}})", 50 + nops, name, 20 + nops, nops),
      "",
      {}};
}

TEST(sweep_notes, tell_code_that_follows_the_machine) {
  const scratch_folder folder;
  sweep_plan plan = small_plan(4);
  plan.axes.push_back({"size", "workload.size"});
  plan.metrics.resize(1);
  for (std::size_t i = 0; i < 4; ++i) {
    plan.points[i].values = {std::int64_t(i / 2), std::int64_t(i % 2)};
    plan.runs[i].parameters = i % 2 == 0 ? "{}" : R"({"size": 1})";
  }
  auto store = result_store::create(folder.path() / "results.sqlite", plan);
  store.save(0, done_with_code("a", 0));
  store.save(1, done_with_code("b", 3));
  EXPECT_EQ(notes_on(store), std::vector<std::string>{}) << "other parameters, other code";
  store.save(2, done_with_code("c", 7));
  const std::vector<std::string> notes = notes_on(store);
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_EQ(notes[1].rfind("each point ran once: ", 0), 0U) << notes[1];
  EXPECT_EQ(notes[0],
            "the code of gemm is made anew for each machine, and differs with banks: 2 codes of 20 to 27 instructions, of which "
            "0 to 7 are NOPs; --fixed-code keeps the code of the base configuration");
}

TEST(sweep_notes, name_axes_without_effect_and_metrics_without_values) {
  const scratch_folder folder;
  sweep_plan plan = small_plan(4);
  plan.axes.push_back({"colour", "sm.colour"});
  plan.metrics.push_back({"drops", metric::origin::statistic, "units.drops"});
  for (std::size_t i = 0; i < 4; ++i) {
    plan.points[i].values = {std::int64_t(i / 2), i % 2 == 0 ? "red" : "blue"};
    plan.runs[i].parameters = "{}";
  }
  auto store = result_store::create(folder.path() / "results.sqlite", plan);
  EXPECT_EQ(notes_on(store), std::vector<std::string>{});
  const std::string single =
      "each point ran once: a difference of a few percent can be chance; \"repeat\": 5 in the sweep file tells whether it is";
  for (int i = 0; i < 3; ++i) store.save(i, done_in(100 + i / 2));
  EXPECT_EQ(notes_on(store), (std::vector<std::string>{"no point has the metric drops (units.drops)",
                                                       "colour changes no measured metric where nothing else changes", single}));
  store.save(3, done_in(90));
  EXPECT_EQ(notes_on(store), (std::vector<std::string>{"no point has the metric drops (units.drops)", single}));
}

}  // namespace
}  // namespace tcsim::results_query_test
