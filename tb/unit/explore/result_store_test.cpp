// SPDX-License-Identifier: Apache-2.0
#include "result_store.hpp"

#include <fstream>
#include <scratch_folder.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "exit_status.hpp"
#include "small_plan.hpp"
#include "sqlite_connection.hpp"

namespace tcsim::result_store_test {
namespace {

namespace fs = std::filesystem;
using test::done_in;
using test::small_plan;

class result_store_test : public testing::Test {
 protected:
  fs::path file(const std::string& name = "results.sqlite") const { return folder_.path() / name; }

  /// Rows of a query: values separated by bars, rows by semicolons.
  static std::string rows(const result_store& store, const std::string& query) {
    sqlite_statement statement(store.handle(), query);
    std::string text;
    while (statement.next()) {
      for (int i = 0; i < statement.columns(); ++i) text += (i == 0 ? "" : "|") + (statement.is_null(i) ? "null" : statement.text(i));
      text += ';';
    }
    return text;
  }

  static void expect_refused(const std::function<void()>& act, const std::string& word) {
    try {
      act();
      FAIL() << "nothing was refused";
    } catch (const usage_error& error) {
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  }

  scratch_folder folder_;
};

TEST_F(result_store_test, keeps_the_plan) {
  const sweep_plan plan = small_plan(4);
  result_store::create(file(), plan);
  const auto store = result_store::open(file(), result_store::access::read);
  const sweep_plan outline = store.outline();
  EXPECT_EQ(outline.name, "small");
  EXPECT_EQ(outline.axes.at(0).path, plan.axes[0].path);
  EXPECT_EQ(outline.metrics.at(2).from, metric::origin::expression);
  EXPECT_EQ(outline.metrics.at(2).source, plan.metrics[2].source);
  EXPECT_EQ(store.run(3).configuration, plan.runs[3].configuration);
  EXPECT_EQ(store.run(3).parameters, plan.runs[3].parameters);
  EXPECT_EQ(store.point_count(), 4U);
  EXPECT_EQ(store.unfinished_runs(), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(rows(store, "SELECT count(*) FROM configurations"), "2;");
}

TEST_F(result_store_test, shows_a_row_for_each_point) {
  auto store = result_store::create(file(), small_plan(3));
  store.save(2, done_in(7));
  store.save(1, {139, "killed by signal 11", "", "", {}});
  EXPECT_EQ(rows(store, "SELECT number, workload, banks, cycles, waits, per_bank, exit_status, run FROM results"),
            "0|gemm|0|null|null|null|null|0;1|gemm|1|null|null|null|139|1;2|gemm|2|7|1|3.5|0|2;");
  EXPECT_EQ(store.unfinished_runs(), (std::vector<std::int64_t>{0, 1}));
  store.save(1, done_in(5));  // a second attempt
  EXPECT_EQ(store.finished(1)->message, "");
  EXPECT_EQ(rows(store, "SELECT cycles FROM results WHERE banks = 1"), "5;");
}

TEST_F(result_store_test, keeps_what_another_plan_still_asks_for) {
  auto store = result_store::create(file(), small_plan(4));
  store.save(1, done_in(10));
  store.save(3, done_in(30));
  sweep_plan plan = small_plan(3);
  plan.runs[0].key = "key-3";  // asked for elsewhere now
  plan.metrics = {{"halted", metric::origin::statistic, "stalls.wait_mask"}, {"time", metric::origin::statistic, "cycles"}};
  store.replan(plan);
  EXPECT_EQ(rows(store, "SELECT number, halted, time FROM results"), "0|1|30;1|1|10;2|null|null;");
  store.save(2, done_in(20));
  EXPECT_EQ(rows(store, "SELECT time FROM results"), "30;10;20;");
  EXPECT_EQ(rows(store, "SELECT count(*) FROM measurements"), "6;");
}

TEST_F(result_store_test, tells_what_another_plan_would_forget) {
  auto store = result_store::create(file(), small_plan(4));
  store.save(1, done_in(10));
  store.save(2, {3, "stuck", "", "", {}});
  store.save(3, done_in(30));
  const auto done = store.done_of(small_plan(3));
  EXPECT_EQ(done.all, 2U) << "a run that failed is none";
  EXPECT_EQ(done.asked_for, 1U);
}

TEST_F(result_store_test, keeps_the_machine_that_code_is_made_for_and_what_is_better) {
  sweep_plan plan = small_plan(2);
  plan.fixed_code = true;
  plan.hazards = "interlock";
  plan.runs[1].code_configuration = R"({"sms":7})";
  plan.metrics[0].better = metric_preference::nearest_zero;
  const auto store = result_store::create(file(), plan);
  EXPECT_TRUE(store.outline().fixed_code);
  EXPECT_EQ(store.outline().hazards, "interlock");
  EXPECT_EQ(store.outline().metrics[0].better, metric_preference::nearest_zero);
  EXPECT_EQ(store.outline().metrics[1].better, metric_preference::unsaid);
  EXPECT_EQ(store.run(0).code_configuration, "");
  EXPECT_EQ(store.run(1).code_configuration, R"({"sms":7})");
}

TEST_F(result_store_test, leaves_everything_as_it_was_if_a_plan_is_wrong) {
  auto store = result_store::create(file(), small_plan(2));
  store.save(0, done_in(10));
  sweep_plan plan = small_plan(1);
  plan.metrics[2].source = "cycles / cores";
  expect_refused([&] { store.replan(plan); }, "cores");
  EXPECT_EQ(rows(store, "SELECT cycles FROM results"), "10;null;");
}

TEST_F(result_store_test, merges_any_number_of_times) {
  auto store = result_store::create(file(), small_plan(4));
  store.save(0, done_in(1));
  sweep_plan part = small_plan(5);
  part.points.clear();
  auto shard = result_store::create(file("shard.sqlite"), part, result_store::journal::rollback);
  shard.save(0, done_in(100));                           // done here already
  shard.save(1, done_in(2));                             // new
  shard.save(2, {3, "the model is stuck", "", "", {}});  // new, failed
  shard.save(4, done_in(5));                             // nobody asks for it
  EXPECT_EQ(store.merge(shard), 2U);
  EXPECT_EQ(store.merge(shard), 0U);
  EXPECT_EQ(rows(store, "SELECT cycles, exit_status FROM results"), "1|0;2|0;null|3;null|null;");
  shard.save(2, done_in(3));
  EXPECT_EQ(store.merge(shard), 1U);
  EXPECT_EQ(rows(store, "SELECT cycles, exit_status FROM results"), "1|0;2|0;3|0;null|null;");
}

TEST_F(result_store_test, is_written_by_one_process) {
  auto store = result_store::create(file(), small_plan(2));
  const pid_t child = fork();
  if (child == 0) {
    try {
      result_store::open(file(), result_store::access::write);
      _exit(0);
    } catch (const usage_error& error) {
      _exit(std::string(error.what()).find("another sweep") != std::string::npos ? 7 : 1);
    }
  }
  int state = 0;
  ASSERT_EQ(waitpid(child, &state, 0), child);
  EXPECT_EQ(WEXITSTATUS(state), 7);
  EXPECT_EQ(result_store::open(file(), result_store::access::read).run_count(), 2U);
  store.save(0, done_in(1));
  expect_refused([&] { result_store::replace(file(), small_plan(1)); }, "another sweep");
}

TEST_F(result_store_test, is_read_where_nobody_may_write) {
  result_store::create(file("a?b%c#d"), small_plan(2)).save(1, done_in(1));
  fs::permissions(file("a?b%c#d"), fs::perms::owner_read);
  fs::permissions(folder_.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(result_store::open(file("a?b%c#d"), result_store::access::immutable).unfinished_runs().size(), 1U);
  EXPECT_EQ(result_store::open(file("a?b%c#d"), result_store::access::read).unfinished_runs().size(), 1U);
  fs::permissions(folder_.path(), fs::perms::owner_all);
}

TEST_F(result_store_test, replaces_only_results) {
  result_store::create(file(), small_plan(2)).save(0, done_in(1));
  expect_refused([&] { result_store::create(file(), small_plan(3)); }, "exists");
  const auto store = result_store::replace(file(), small_plan(3));
  EXPECT_EQ(store.unfinished_runs().size(), 3U);
  std::ofstream(file("letter")) << std::string(5000, 'x');
  std::ofstream(file("empty"));
  expect_refused([&] { result_store::replace(file("letter"), small_plan(3)); }, "no results");
  expect_refused([&] { result_store::replace(file("empty"), small_plan(3)); }, "no results");
  expect_refused([&] { result_store::open(file("letter"), result_store::access::read); }, "no results");
  expect_refused([&] { result_store::open(file("nothing"), result_store::access::write); }, "no such file");
  EXPECT_EQ(fs::file_size(file("letter")), 5000U);
}

TEST_F(result_store_test, knows_other_formats) {
  result_store::create(file(), small_plan(2));
  sqlite_connection(file(), sqlite_connection::access::write).execute("PRAGMA user_version = 9");
  expect_refused([&] { result_store::open(file(), result_store::access::read); }, "format 9");
}

}  // namespace
}  // namespace tcsim::result_store_test
