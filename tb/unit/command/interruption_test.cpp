// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, and what else asks a process to end.
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <unistd.h>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "command_process.hpp"

namespace interruption_test {

using namespace tcsim::test;
using words = std::vector<std::string>;

namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Whether the process has a handler of its own for a signal (proc(5), SigCgt).
bool catches(pid_t process, int signal) {
  std::ifstream status("/proc/" + std::to_string(process) + "/status");
  const std::string key = "SigCgt:";
  for (std::string line; std::getline(status, line);)
    if (line.rfind(key, 0) == 0) return (std::stoull(line.substr(key.size()), nullptr, 16) >> (signal - 1) & 1) != 0;
  return false;
}

constexpr unsigned moment = 10'000, patience = 60'000'000;  // us

/// Waits for a moment. Headers of threads are for what has several: they decide which rooms the thread sanitizer looks at.
void wait_a_moment() { usleep(moment); }

/// Ends the command by a signal when it has been at work for a while: matrices are made first, for a moment.
class interruption : public command_test {
 protected:
  outcome interrupted(const words& arguments, int signal, unsigned moments_at_work = 10) const {
    tcsim_process process(arguments, folder());
    unsigned at_work = 0;
    for (auto waited = moment; at_work < moments_at_work && waited < patience; waited += moment) {
      at_work = catches(process.id(), signal) ? at_work + 1 : 0;
      wait_a_moment();
    }
    kill(process.id(), signal);
    return process.wait();
  }
  /// The same for a run, which has begun when its summary tells of cycles; how long its preparation takes depends on the host.
  outcome interrupted_run(const words& arguments, int signal) const {
    outcome run;
    for (unsigned moments = 10; moments < 10'000; moments *= 2) {
      run = interrupted(arguments, signal, moments);
      if (contains(run.err, " at cycle ") && !contains(run.err, " at cycle 0")) break;
    }
    return run;
  }
};

/// It would run for minutes.
const words long_run{"gemm", "--config", "turing", "--size", "1024", "--no-data"};

words with(words arguments, const words& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace

TEST_F(interruption, of_a_run_ends_with_a_summary_and_what_was_recorded) {
  const auto run = interrupted_run(
      with(long_run, {"--stats", "s.json", "--stats-interval", "50", "--vcd", "w.vcd", "--timeline", "t.json", "--window", "0..100"}),
      SIGINT);
  EXPECT_EQ(run.status, 128 + SIGINT) << run.err;
  EXPECT_TRUE(contains(run.err, "stopped by signal 2 (Interrupt) at cycle ")) << run.err;
  EXPECT_TRUE(contains(run.out, "result        not finished\n")) << run.out;
  EXPECT_TRUE(contains(run.out, "issued an instruction")) << run.out;
  const auto statistics = boost::json::parse(content_of(folder() / "s.json")).as_object();
  EXPECT_EQ(statistics.at("status").as_string(), "interrupted");
  EXPECT_GT(statistics.at("cycles").to_number<std::uint64_t>(), 0u);
  EXPECT_TRUE(statistics.contains("series"));
  EXPECT_FALSE(boost::json::parse(content_of(folder() / "t.json")).as_object().at("traceEvents").as_array().empty());
  EXPECT_TRUE(contains(content_of(folder() / "w.vcd"), "$enddefinitions"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder()), {}), 3) << "a file is left half written";
}

TEST_F(interruption, of_runs_varied_by_chance_keeps_those_that_have_ended) {
  const auto run = interrupted(
      {"gemm", "--config", "turing", "--size", "64", "--no-data", "--set", "sms=1", "--jitter", "10000", "--stats", "s.json"}, SIGINT);
  EXPECT_EQ(run.status, 128 + SIGINT) << run.err;
  EXPECT_TRUE(contains(run.err, "stopped by signal 2 (Interrupt)")) << run.err;
  EXPECT_TRUE(contains(run.err, " of 10000 runs varied by chance had ended")) << run.err;
  const auto jitter = boost::json::parse(content_of(folder() / "s.json")).at("jitter").as_object();
  EXPECT_EQ(jitter.at("asked_for"), 10000);
  EXPECT_LT(jitter.at("runs").to_number<unsigned>(), 10000U);
  EXPECT_EQ(jitter.at("runs").to_number<std::size_t>(), jitter.at("seeds").as_array().size());
}

TEST_F(interruption, by_another_signal_has_that_ones_status) {
  const auto run = interrupted_run(long_run, SIGTERM);
  EXPECT_EQ(run.status, 128 + SIGTERM) << run.err;
  EXPECT_TRUE(contains(run.err, "stopped by signal 15 (Terminated)")) << run.err;
}

TEST_F(interruption, of_the_first_process_ends_all_that_share_a_run) {
  const auto run = interrupted_run(
      with(long_run, {"--jobs", "2", "--set", "global_memory.hierarchy.enabled=false", "--set", "sms=128", "--stats", "s.json"}), SIGINT);
  EXPECT_EQ(run.status, 128 + SIGINT) << run.err;
  EXPECT_TRUE(contains(run.out, "result        not finished\n")) << run.out;
  EXPECT_EQ(boost::json::parse(content_of(folder() / "s.json")).as_object().at("status").as_string(), "interrupted");
}

/// What a command shows in a terminal, up to the first line of a form; it is then ended. script(1) of util-linux lends the terminal.
TEST_F(interruption, is_what_a_run_in_a_terminal_waits_for_with_its_progress) {
  const std::regex progress("running \\[#* *\\] [0-9]+ %, cycle [0-9]+, [0-9:]+ left");
  const std::string command = "cd " + folder().string() +
                              " && { script --quiet --flush --command 'echo $$ >id; exec " TC_COMMAND
                              " gemm --config turing --size 1024 --no-data' shown.txt >/dev/null 2>&1 & }";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::string shown;
  for (auto waited = moment; !std::regex_search(shown, progress) && waited < patience; waited += moment) {
    wait_a_moment();
    if (std::filesystem::exists(folder() / "shown.txt")) shown = content_of(folder() / "shown.txt");
  }
  kill(static_cast<pid_t>(std::stol(content_of(folder() / "id"))), SIGINT);
  EXPECT_TRUE(std::regex_search(shown, progress)) << shown;
}

TEST_F(interruption, of_a_study_leaves_nothing) {
  const auto study = interrupted({"error", "--config", "hopper", "--dots", "1000000", "-o", "error.txt"}, SIGINT);
  EXPECT_EQ(study.status, 128 + SIGINT) << study.err;
  EXPECT_TRUE(contains(study.err, "nothing was written")) << study.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

TEST_F(interruption, of_experiments_tells_which_were_done) {
  const auto probe = interrupted({"probe", "--config", "hopper", "-o", "probe.txt"}, SIGINT);
  EXPECT_EQ(probe.status, 128 + SIGINT) << probe.err;
  EXPECT_TRUE(contains(probe.err, "stopped by signal 2")) << probe.err;
}

TEST_F(interruption, of_matrices_that_are_made_is_told) {
  const auto made = interrupted({"gemm", "--config", "turing", "--size", "16384"}, SIGINT);
  EXPECT_EQ(made.status, 128 + SIGINT) << made.err;
  EXPECT_TRUE(contains(made.err, "stopped by signal 2 (Interrupt); nothing was written")) << made.err;
}

TEST_F(interruption, of_a_kernel_that_is_written_leaves_no_part_of_it) {
  const auto written = interrupted({"gemm", "--config", "turing", "--size", "4096", "--no-data", "-o", "g.trace"}, SIGINT);
  EXPECT_EQ(written.status, 128 + SIGINT) << written.err;
  EXPECT_TRUE(contains(written.err, "nothing was written")) << written.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder()));
}

}  // namespace interruption_test
