// SPDX-License-Identifier: Apache-2.0
#include "random_suite.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "child_process.hpp"
#include "failure.hpp"
#include "program_case.hpp"
#include "progress_bar.hpp"

namespace tcsim::random_programs {

namespace {

using clock = std::chrono::steady_clock;

/// What a process tells of its program: the instructions, the configuration, and what is wrong.
std::string report_of(std::uint64_t seed, const suite_options& options) {
  try {
    const program_case what = make_case(seed, options.configurations, options.broken_percent);
    std::ptrdiff_t instructions = 0;
    for (const std::string& text : what.traces) instructions += std::count(text.begin(), text.end(), '\n');
    return fmt::format("{} {}\n{}", instructions, what.configuration, run_case(what, options.time_limit));
  } catch (...) {
    return fmt::format("0 none\nthe program cannot be made: {}\n", current_failure().message);
  }
}

/// Leaves the kernels of a seed in files, for `tcsim run`; what it tells is the command.
std::string write_case(std::uint64_t seed, const suite_options& options) {
  const program_case what = make_case(seed, options.configurations, options.broken_percent);
  std::filesystem::create_directories(options.folder);
  std::vector<std::string> names, paths;
  for (std::size_t kernel = 0; kernel < what.traces.size(); ++kernel) {
    names.push_back(kernel == 0 ? fmt::format("{}.trace", seed) : fmt::format("{}.{}.trace", seed, kernel));
    paths.push_back((options.folder / names.back()).string());
    std::ofstream(paths.back()) << what.traces[kernel];
  }
  std::ofstream(options.folder / fmt::format("{}.sh", seed)) << what.command(names) << '\n';
  return what.command(paths);
}

class suite_run {
 public:
  explicit suite_run(const suite_options& options)
      : options_(options), begin_(clock::now()), progress_("random programs", options.seconds.value_or(options.programs)) {}

  bool run() {
    while (start_more() || !running_.empty()) {
      if (running_.size() >= options_.jobs || !may_start()) take_one();
      const double seconds = std::chrono::duration<double>(clock::now() - begin_).count();
      progress_.advance_to(options_.seconds ? static_cast<std::uint64_t>(seconds) : done_, fmt::format("{} findings", findings_));
    }
    const double seconds = std::chrono::duration<double>(clock::now() - begin_).count();
    fmt::print("random programs: {} programs from seed {}, {} lines, {} configurations, {:.0f} s, {} findings\n", done_, options_.seed,
               lines_, configurations_.size(), seconds, findings_);
    return findings_ == 0;
  }

 private:
  bool may_start() const {
    return options_.seconds ? clock::now() - begin_ < std::chrono::seconds(*options_.seconds) : started_ < options_.programs;
  }

  bool start_more() {
    if (running_.size() >= options_.jobs || !may_start()) return false;
    const std::uint64_t seed = options_.seed + started_++;
    child_process child([this, seed] { return report_of(seed, options_); }, options_.time_limit);
    const pid_t id = child.id();
    running_.emplace(id, running_program{seed, std::move(child)});
    return true;
  }

  void take_one() {
    const auto ended = running_.find(any_ended_child());
    if (ended == running_.end()) return;
    const child_process::outcome outcome = ended->second.process.result();
    std::istringstream report(outcome.text);
    std::uint64_t lines = 0;
    std::string configuration, rest;
    report >> lines >> configuration;
    std::getline(report, rest);
    std::getline(report, rest, '\0');
    ++done_;
    lines_ += lines;
    if (!configuration.empty()) configurations_.insert(configuration);
    rest += outcome.failure;
    if (!rest.empty()) tell(ended->second.seed, rest);
    running_.erase(ended);
  }

  void tell(std::uint64_t seed, const std::string& what) {
    ++findings_;
    const auto written = child_process([this, seed] { return write_case(seed, options_); }, options_.time_limit).result();
    fmt::print(stderr, "seed {}: {}\n  again: {}\n", seed, what, written.failure.empty() ? written.text : written.failure);
  }

  struct running_program {
    std::uint64_t seed;
    child_process process;
  };

  const suite_options& options_;
  clock::time_point begin_;
  progress_bar progress_;
  std::map<pid_t, running_program> running_;
  std::uint64_t started_ = 0, done_ = 0, lines_ = 0, findings_ = 0;
  std::set<std::string> configurations_;
};

}  // namespace

bool run_suite(const suite_options& options) { return suite_run(options).run(); }

}  // namespace tcsim::random_programs
