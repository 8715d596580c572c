// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>
#include <string>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "command_process.hpp"
#include "exit_status.hpp"
#include "pause.hpp"
#include "result_store.hpp"
#include "sqlite_connection.hpp"

namespace tcsim::test::sweep_command_test {
namespace {

namespace fs = std::filesystem;

class sweep_command : public command_test {
 protected:
  /// A sweep of small products: a point for each patience and number of SMs.
  void write_sweep(const std::string& name, const std::string& patience, const std::string& sms, const std::string& more = "") const {
    file(name, R"({"base": "turing", "workloads": [{"gemm": {"size": 16}}], )" + more +
                   R"("axes": [{"path": "sm.sub_core.issue.patience_cycles", "name": "patience", "values": [)" + patience +
                   R"(]}, {"path": "sms", "values": [)" + sms + "]}]}");
  }

  result_store results(const std::string& name) const { return result_store::open(folder() / name, result_store::access::read); }

  std::size_t done(const std::string& name) const {
    if (!fs::exists(folder() / name)) return 0;
    const auto store = results(name);
    return store.run_count() - store.unfinished_runs().size();
  }

  /// Everything in a file of results but what it cost the host.
  std::string content(const std::string& name) const {
    const auto store = results(name);
    std::string text;
    for (const char* const query :
         {"SELECT * FROM sweep", "SELECT * FROM axes", "SELECT * FROM metrics", "SELECT * FROM configurations ORDER BY id",
          "SELECT id, key, workload, kind, parameters, detail, configuration, exit_status, message, statistics, all_statistics FROM runs "
          "ORDER BY id",
          "SELECT * FROM points ORDER BY number", "SELECT * FROM axis_values ORDER BY point, axis",
          "SELECT * FROM measurements ORDER BY run, metric"}) {
      sqlite_statement rows(store.handle(), query);
      while (rows.next()) {
        for (int i = 0; i < rows.columns(); ++i) text += (rows.is_null(i) ? "null" : rows.text(i)) + '|';
        text += '\n';
      }
    }
    return text;
  }

  /// Kills a sweep when so many runs are done, unless it has ended.
  void kill_after(const tcsim_process& sweep, const std::string& name, std::size_t runs) const {
    siginfo_t ended{};
    while (done(name) < runs && ended.si_pid == 0) {
      pause_for(std::chrono::milliseconds(2));
      waitid(P_PID, static_cast<id_t>(sweep.id()), &ended, WEXITED | WNOHANG | WNOWAIT);
    }
    kill(sweep.id(), SIGKILL);
  }
};

TEST_F(sweep_command, gives_the_same_if_it_is_killed_three_times) {
  write_sweep("small.json", "0, 1, 2, 3, 4, 5", "1, 2, 3, 4");
  const outcome undisturbed = tcsim({"sweep", "small.json", "-j", "1", "-o", "undisturbed"});
  ASSERT_EQ(undisturbed.status, 0) << undisturbed.err;
  ASSERT_EQ(done("undisturbed"), 24U);

  std::mt19937 random(8);
  for (int time = 0; time < 3; ++time) {
    tcsim_process sweep({"sweep", "small.json", "-j", "2", "-o", "killed", "--resume"}, folder());
    kill_after(sweep, "killed", done("killed") + 1 + random() % 5);
    ASSERT_EQ(sweep.wait().status, -1) << "it ended before it was killed";
  }
  const std::size_t kept = done("killed");
  EXPECT_GE(kept, 3U);
  EXPECT_LT(kept, 24U);
  const outcome resumed = tcsim({"sweep", "small.json", "-j", "3", "-o", "killed", "--resume"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NE(resumed.out.find(std::to_string(24 - kept) + " run"), std::string::npos) << resumed.out;
  EXPECT_EQ(content("killed"), content("undisturbed"));
}

TEST_F(sweep_command, stops_when_asked_and_says_how_to_go_on) {
  write_sweep("small.json", "0, 1, 2, 3", "1, 2, 3, 4");
  tcsim_process sweep({"sweep", "small.json", "-j", "1"}, folder());
  while (done("small.sqlite") < 2) pause_for(std::chrono::milliseconds(2));
  kill(sweep.id(), SIGINT);
  const outcome stopped = sweep.wait();
  EXPECT_EQ(stopped.status, 128 + SIGINT);
  EXPECT_NE(stopped.err.find("tcsim sweep small.json --out small.sqlite --resume"), std::string::npos) << stopped.err;
  EXPECT_GE(done("small.sqlite"), 2U);
  EXPECT_FALSE(fs::exists(folder() / "small.sqlite-wal"));
}

TEST_F(sweep_command, runs_what_a_changed_file_adds) {
  write_sweep("small.json", "1, 2", "1");
  ASSERT_EQ(tcsim({"sweep", "small.json"}).status, 0);
  expect_refusal({"sweep", "small.json"}, {"small.sqlite", "--resume", "--fresh"});
  write_sweep("small.json", "1, 3", "1, 2");
  const outcome more = tcsim({"sweep", "small.json", "--resume"});
  EXPECT_EQ(more.status, 0) << more.err;
  EXPECT_NE(more.out.find("3 runs in"), std::string::npos) << more.out;
  const outcome table = tcsim({"results", "small.sqlite", "--columns", "patience,sms", "--format", "csv"});
  EXPECT_EQ(table.out, "patience,sms\n1,1\n1,2\n3,1\n3,2\n");
  EXPECT_NE(tcsim({"sweep", "small.json", "--fresh"}).out.find("4 runs in"), std::string::npos);
}

TEST_F(sweep_command, does_not_forget_results_of_another_sweep) {
  write_sweep("small.json", "1, 2", "1");
  write_sweep("other.json", "1", "1");
  ASSERT_EQ(tcsim({"sweep", "small.json"}).status, 0);
  const std::string before = content("small.sqlite");
  expect_refusal({"sweep", "other.json", "--out", "small.sqlite", "--resume"},
                 {"small.sqlite", "results of the sweep \"small\", not of \"other\"", "1 of its 2 finished runs", "--out", "--fresh"});
  expect_refusal({"sweep", "small.json", "--resume", "--fixed-code"}, {"small.sqlite", "fixed code"});
  EXPECT_EQ(content("small.sqlite"), before);
  write_sweep("small.json", "7", "1");
  expect_refusal({"sweep", "small.json", "--resume"}, {"small.sqlite", "asks for none of its results"});
  write_sweep("small.json", "1, 7", "1");
  const outcome resumed = tcsim({"sweep", "small.json", "--resume"});
  EXPECT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("1 finished run is not asked for any more, and dropped"), std::string::npos) << resumed.err;
}

TEST_F(sweep_command, says_what_stands_in_the_way_of_its_results) {
  write_sweep("small.json", "1, 2", "1");
  fs::create_directory(folder() / "results");
  for (const char* const how : {"-j1", "--fresh", "--resume"})
    expect_refusal({"sweep", "small.json", "--out", "results", how}, {"results: this is a folder; --out names a file"});
  file("small.sqlite", "a letter");
  expect_refusal({"sweep", "small.json"}, {"small.sqlite", "no results of tcsim"});
}

TEST_F(sweep_command, runs_the_code_of_the_base_on_all_machines_if_asked) {
  file("units.json", R"({"base": "turing", "workloads": [{"gemm": {"size": 64}}], "metrics": ["cycles", "nops_executed"],
      "axes": [{"path": "sm.sub_core.tensor_core.dot_product_units", "name": "units", "values": ["x1", "x0.5"]}]})");
  const outcome usual = tcsim({"sweep", "units.json", "-o", "usual"});
  EXPECT_NE(usual.out.find("note: the code of gemm is made anew for each machine, and differs with units"), std::string::npos) << usual.out;
  EXPECT_EQ(tcsim({"results", "usual", "--columns", "units,nops_executed", "--format", "csv"}).out, "units,nops_executed\n4,0\n2,172\n");
  EXPECT_NE(tcsim({"results", "usual"}).err.find("note: the code of gemm"), std::string::npos);
  const outcome fixed = tcsim({"sweep", "units.json", "-o", "fixed", "--fixed-code"});
  EXPECT_EQ(fixed.out.find("note: the code"), std::string::npos) << fixed.out;
  EXPECT_EQ(tcsim({"results", "fixed", "--columns", "units,nops_executed", "--format", "csv"}).out, "units,nops_executed\n4,0\n2,0\n");
}

TEST_F(sweep_command, keeps_and_shows_what_the_model_warned_of) {
  file("undefined.trace",
       one_warp("sm_75", "memory 0x1000 4 zero\n", "reg R2 0x1000\nreg R3 0x0\n/*0000*/ STG.E.SYS [R2], R8 mask 00000001 @ 0x1000\n"));
  file("small.json", R"({"base": "turing", "workloads": [{"trace": {"files": ["undefined.trace"]}}, {"gemm": {"size": 16}}],
      "metrics": ["cycles"], "axes": [{"path": "sms", "values": [1, 2]}]})");
  const outcome swept = tcsim({"sweep", "small.json"});
  EXPECT_EQ(swept.status, 0) << swept.err;
  EXPECT_NE(swept.out.find("with warnings  2"), std::string::npos) << swept.out;
  EXPECT_NE(swept.out.find("warning: point 0 and 1 other: "), std::string::npos) << swept.out;
  const outcome found = tcsim({"results", "small.sqlite", "--format", "csv"});
  EXPECT_NE(found.out.find(",warnings\n"), std::string::npos) << found.out;
  EXPECT_NE(found.err.find("undefined.trace:11: "), std::string::npos) << found.err;
  EXPECT_EQ(tcsim({"results", "small.sqlite", "--warnings", "--columns", "number", "--format", "csv"}).out, "number\n0\n1\n");
}

TEST_F(sweep_command, names_the_file_of_a_base_that_is_no_machine) {
  file("priced.json", R"({"include": ["energy_45nm.json"]})");
  file("small.json", R"({"base": "priced.json", "workloads": [{"gemm": {"size": 16}}]})");
  expect_refusal({"sweep", "small.json"}, {"priced.json:1:1: architectures", "at least one architecture", "include"});
}

TEST_F(sweep_command, writes_nothing_before_the_sweep_file_is_right) {
  write_sweep("small.json", "1, 2", "1", R"("metrics": ["cycels"], )");
  expect_refusal({"sweep", "small.json"}, {"small.json:1:", "cycels", "cycles"});
  write_sweep("small.json", "1, 2", "1, 2");
  const outcome dry = tcsim({"sweep", "small.json", "--dry-run"});
  EXPECT_EQ(dry.status, 0) << dry.err;
  EXPECT_NE(dry.out.find("4 points"), std::string::npos) << dry.out;
  EXPECT_FALSE(fs::exists(folder() / "small.sqlite"));
  file("small.sqlite", "a letter");
  expect_refusal({"sweep", "small.json", "--fresh"}, {"small.sqlite", "no results of tcsim"});
  expect_refusal({"sweep", "small.json", "-o", "no/such/folder/x"}, {"no/such/folder/x"});
}

TEST_F(sweep_command, names_axes_that_change_nothing_and_shows_results) {
  write_sweep("small.json", "51, 52", "1", R"("metrics": ["cycles"], )");
  const outcome swept = tcsim({"sweep", "small.json"});
  ASSERT_EQ(swept.status, 0) << swept.err;
  EXPECT_NE(swept.out.find("note: patience changes no measured metric"), std::string::npos) << swept.out;
  const outcome found =
      tcsim({"results", "small.sqlite", "--where", "patience = 52", "--columns", "patience,exit_status", "--format", "jsonl"});
  EXPECT_EQ(found.out, "{\"patience\": 52, \"exit_status\": 0}\n");
  ASSERT_EQ(tcsim({"results", "small.sqlite", "--columns", "patience", "--format", "csv", "-o", "found.csv"}).status, 0);
  EXPECT_EQ(content_of(folder() / "found.csv"), "patience\n51\n52\n");
  expect_refusal({"results", "small.sqlite", "--where", "patiens = 52"}, {"--where", "patiens", "patience"});
  expect_refusal({"results", "small.sqlite", "--sort", "cycles:up"}, {"--sort cycles:up", "desc"});
  expect_refusal({"results", "small.json"}, {"small.json", "no results of tcsim"});
  expect_refusal({"results", "small.sqlite", "--limit", "-1"}, {"--limit", "\"-1\" is no whole number from 0"});
}

}  // namespace
}  // namespace tcsim::test::sweep_command_test
