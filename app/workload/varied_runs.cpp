// SPDX-License-Identifier: Apache-2.0
#include "varied_runs.hpp"

#include <algorithm>
#include <iterator>
#include <list>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "exit_status.hpp"
#include "process_copy.hpp"

namespace tcsim {

namespace {

using tc::accounting::run_result;
using tc::accounting::run_status;

varied_run varied_run_of(std::uint64_t seed, const run_result& result) {
  varied_run run{seed, {}, result.mismatches()};
  for (const auto& kernel : result.kernels) run.cycles.push_back(kernel.cycles());
  return run;
}

/// As numbers, for another process of the same program.
std::string text_of(const varied_run& run) {
  std::string text = fmt::format("{} {}", run.seed, run.wrong_bytes);
  for (const std::uint64_t cycles : run.cycles) text += fmt::format(" {}", cycles);
  return text;
}

varied_run varied_run_from(const std::string& text) {
  std::istringstream in(text);
  varied_run run;
  in >> run.seed >> run.wrong_bytes;
  for (std::uint64_t cycles = 0; in >> cycles;) run.cycles.push_back(cycles);
  return run;
}

std::string run_with_seed(tc::config::machine machine, std::uint64_t seed, const varied_runs::run_machine& run) {
  machine.jitter.seed = seed;
  const run_result result = run(machine);
  if (result.status != run_status::finished)
    throw std::runtime_error(fmt::format(
        "{} at cycle {}", result.status == run_status::cycle_limit ? "--max-cycles ended the run" : "the model is stuck", result.cycles));
  return text_of(varied_run_of(seed, result));
}

/// Says of which run a message is.
[[noreturn]] void rethrow_with(std::uint64_t seed) {
  try {
    throw;
  } catch (const usage_error& error) {
    throw usage_error(fmt::format("with jitter.seed={}: {}", seed, error.what()));
  } catch (const std::exception& error) {
    throw std::runtime_error(fmt::format("with jitter.seed={}: {}", seed, error.what()));
  }
}

}  // namespace

varied_runs::varied_runs(const tc::config::machine& machine, unsigned runs, unsigned at_a_time, const run_machine& run) {
  const std::uint64_t own = machine.jitter.seed, end = own + runs;
  for (std::uint64_t next = own + 1; next < end && failure_ == nullptr; next += at_a_time)
    run_some(machine, next, std::min(end, next + at_a_time), run);
}

/// Those with seeds from `first` to before `end`, at the same time.
void varied_runs::run_some(const tc::config::machine& machine, std::uint64_t first, std::uint64_t end, const run_machine& run) {
  std::uint64_t seed = first;
  try {
    std::list<process_copy> started;
    for (; seed != end; ++seed)
      started.emplace_back("repeats the run", [&machine, &run, seed] { return run_with_seed(machine, seed, run); });
    seed = first;
    for (process_copy& process : started) {
      runs_.push_back(varied_run_from(process.result()));
      ++seed;
    }
  } catch (...) {
    try {
      rethrow_with(seed);
    } catch (...) {
      failure_ = std::current_exception();
    }
  }
}

void varied_runs::add_first(const run_result& result) {
  if (failure_ != nullptr) std::rethrow_exception(failure_);
  const std::uint64_t own = runs_.empty() ? 0 : runs_.front().seed - 1;
  runs_.insert(runs_.begin(), varied_run_of(own, result));
  for (const auto& kernel : result.kernels) kernels_.push_back(kernel.kernel);
}

spread varied_runs::cycles_of(std::size_t kernel) const {
  std::vector<std::uint64_t> cycles;
  for (const varied_run& run : runs_) cycles.push_back(run.cycles.at(kernel));
  return spread_of(std::move(cycles));
}

std::vector<varied_run> varied_runs::wrong() const {
  std::vector<varied_run> wrong;
  std::copy_if(runs_.begin(), runs_.end(), std::back_inserter(wrong), [](const varied_run& run) { return run.wrong_bytes > 0; });
  return wrong;
}

boost::json::object varied_runs::json() const {
  boost::json::array seeds, kernels;
  for (const varied_run& run : runs_) seeds.emplace_back(run.seed);
  for (std::size_t k = 0; k < kernels_.size(); ++k) {
    boost::json::array cycles;
    for (const varied_run& run : runs_) cycles.emplace_back(run.cycles.at(k));
    const spread all = cycles_of(k);
    kernels.push_back({{"kernel", kernels_[k]},
                       {"cycles", std::move(cycles)},
                       {"median", all.median},
                       {"least", all.least},
                       {"lower_quartile", all.lower_quartile},
                       {"upper_quartile", all.upper_quartile},
                       {"most", all.most}});
  }
  return {{"runs", runs_.size()}, {"seeds", std::move(seeds)}, {"kernels", std::move(kernels)}};
}

}  // namespace tcsim
