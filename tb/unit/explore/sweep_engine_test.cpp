// SPDX-License-Identifier: Apache-2.0
#include "sweep_engine.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <scratch_folder.hpp>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "pause.hpp"
#include "small_plan.hpp"
#include "sqlite_connection.hpp"

namespace tcsim::sweep_engine_test {
namespace {

namespace fs = std::filesystem;
using test::done_in;
using test::small_plan;

int size_of(const planned_run& run) { return static_cast<int>(boost::json::parse(run.parameters).at("size").as_int64()); }

class sweep_engine_test : public testing::Test {
 protected:
  result_store make_store(std::size_t runs, const std::string& name = "results.sqlite") const {
    return result_store::create(folder_.path() / name, small_plan(runs));
  }

  /// All cycles, in order of the points.
  static std::vector<std::int64_t> cycles(const result_store& store) {
    sqlite_statement statement(store.handle(), "SELECT cycles FROM results ORDER BY number");
    std::vector<std::int64_t> all;
    while (statement.next()) all.push_back(statement.integer(0));
    return all;
  }

  static engine_options jobs(unsigned count) {
    engine_options options;
    options.jobs = count;
    return options;
  }

  scratch_folder folder_;
};

TEST_F(sweep_engine_test, gives_the_same_whatever_ends_first) {
  const auto work = [](const planned_run& run) {
    pause_for(std::chrono::milliseconds((run.key.back() * 7) % 5));
    return done_in(100 + size_of(run));
  };
  auto one = make_store(9, "one"), four = make_store(9, "four");
  EXPECT_EQ(run_all(one, one.unfinished_runs(), work, jobs(1)).done, 9U);
  EXPECT_EQ(run_all(four, four.unfinished_runs(), work, jobs(4)).done, 9U);
  EXPECT_EQ(cycles(one), (std::vector<std::int64_t>{100, 101, 102, 103, 104, 105, 106, 107, 108}));
  EXPECT_EQ(cycles(four), cycles(one));
  EXPECT_GT(one.finished(3)->cost.seconds, 0);
  EXPECT_GT(one.finished(3)->cost.peak_kilobytes, 100U);
}

TEST_F(sweep_engine_test, runs_each_in_a_process_with_nothing_on_stdin) {
  auto store = make_store(3);
  const auto work = [before = getpid()](const planned_run&) {
    char byte = 0;
    const bool is_empty = read(STDIN_FILENO, &byte, 1) == 0;
    static int runs_here = 0;
    return done_in(++runs_here + (is_empty ? 10 : 0) + (getppid() == before ? 100 : 0));
  };
  run_all(store, store.unfinished_runs(), work, jobs(2));
  EXPECT_EQ(cycles(store), (std::vector<std::int64_t>{111, 111, 111}));
}

TEST_F(sweep_engine_test, goes_on_when_a_process_dies) {
  auto store = make_store(5);
  const auto work = [](const planned_run& run) {
    const int size = size_of(run);
    if (size == 1) std::cerr << "first line\nlast words\n" << std::flush, std::raise(SIGKILL);
    if (size == 2) _exit(0);
    if (size == 3) std::cout << std::string(100000, 'x') << std::flush, _exit(5);
    return done_in(size);
  };
  run_all(store, store.unfinished_runs(), work, jobs(2));
  EXPECT_EQ(store.finished(1)->exit_status, 128 + SIGKILL);
  EXPECT_EQ(store.finished(1)->message, "killed by signal 9 (Killed): first line; last words");
  EXPECT_EQ(store.finished(2)->exit_status, 3);
  EXPECT_EQ(store.finished(2)->message, "the process exited with status 0 and without a result");
  EXPECT_LT(store.finished(3)->message.size(), 3000U);
  EXPECT_EQ(store.finished(4)->exit_status, 0);
  EXPECT_EQ(store.unfinished_runs(), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST_F(sweep_engine_test, takes_large_results_and_any_text) {
  auto store = make_store(1);
  const std::string large(std::size_t{5} << 20, 'x');
  const auto work = [&](const planned_run&) {
    finished_run finished = done_in(1);
    finished.all_statistics = large;
    finished.message = "quotes \" and \\ and \xff";
    return finished;
  };
  run_all(store, {0}, work, jobs(1));
  EXPECT_EQ(store.finished(0)->all_statistics, large);
  EXPECT_EQ(store.finished(0)->message, "quotes \" and \\ and \xff");
}

TEST_F(sweep_engine_test, stops_when_asked_and_keeps_what_is_done) {
  auto store = make_store(20);
  const auto work = [](const planned_run& run) {
    if (size_of(run) >= 5) pause_for(std::chrono::minutes(5));
    return done_in(1);
  };
  engine_options options = jobs(4);
  options.report = [](const engine_state& state) {
    if (state.done == 5) std::raise(SIGTERM);
  };
  const engine_outcome outcome = run_all(store, store.unfinished_runs(), work, options);
  EXPECT_EQ(outcome.signal, SIGTERM);
  EXPECT_EQ(outcome.done, 5U);
  EXPECT_EQ(store.unfinished_runs().size(), 15U);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);  // no child is left
}

/// The processes that are named in a file, a line each.
std::vector<pid_t> processes_in(const fs::path& file) {
  std::ifstream in(file);
  return {std::istream_iterator<pid_t>(in), {}};
}

/// Waits for something that happens soon.
bool comes_true(const std::function<bool()>& condition) {
  for (int attempt = 0; attempt < 2000; ++attempt) {
    if (condition()) return true;
    pause_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST_F(sweep_engine_test, leaves_no_processes_when_it_is_killed) {
  const fs::path log = folder_.path() / "processes";
  const pid_t sweep = fork();
  if (sweep == 0) {
    auto store = make_store(3);
    const auto work = [&](const planned_run&) {
      std::ofstream(log, std::ios::app) << getpid() << '\n';
      pause_for(std::chrono::minutes(5));
      return done_in(1);
    };
    run_all(store, store.unfinished_runs(), work, jobs(3));
    _exit(0);
  }
  ASSERT_TRUE(comes_true([&] { return processes_in(log).size() == 3; }));
  kill(sweep, SIGKILL);
  waitpid(sweep, nullptr, 0);
  for (const pid_t process : processes_in(log)) EXPECT_TRUE(comes_true([&] { return kill(process, 0) != 0; })) << process;
  EXPECT_EQ(result_store::open(folder_.path() / "results.sqlite", result_store::access::write).unfinished_runs().size(), 3U);
}

}  // namespace
}  // namespace tcsim::sweep_engine_test
