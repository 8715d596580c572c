// SPDX-License-Identifier: Apache-2.0
#include "varied_runs.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <list>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

#include <tc/accounting/run_limits.hpp>

#include "exit_status.hpp"
#include "process_copy.hpp"
#include "progress_bar.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;
using tc::accounting::run_result;
using tc::accounting::run_status;

/// For another process of the same program.
std::string text_of(const varied_run& run) {
  return json::serialize(json::object{{"seed", run.seed},
                                      {"cycles", json::value_from(run.cycles)},
                                      {"wrong_bytes", run.wrong_bytes},
                                      {"limit", run.limit},
                                      {"why_stopped", run.why_stopped}});
}

varied_run varied_run_from(const std::string& text) {
  const json::value run = json::parse(text);
  return {run.at("seed").to_number<std::uint64_t>(), json::value_to<std::vector<std::uint64_t>>(run.at("cycles")),
          run.at("wrong_bytes").to_number<std::uint64_t>(), json::value_to<std::string>(run.at("limit")),
          json::value_to<std::string>(run.at("why_stopped"))};
}

std::string run_with_seed(tc::config::machine machine, std::uint64_t seed, const varied_runs::run_machine& run) {
  interruption_watch::leave();
  machine.jitter.seed = seed;
  return text_of(run(machine));
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

varied_run varied_run_of(const run_result& result, const tc::config::machine& machine) {
  varied_run run;
  run.seed = machine.jitter.seed;
  if (result.status != run_status::finished) {
    run.why_stopped =
        result.status == run_status::cycle_limit ? "--max-cycles ended it" : fmt::format("the model is stuck at cycle {}", result.cycles);
    return run;
  }
  run.wrong_bytes = result.mismatches();
  for (const auto& kernel : result.kernels) run.cycles.push_back(kernel.cycles());
  const auto limits = tc::accounting::limits_of(result, machine);
  if (!limits.empty()) run.limit = limits.front().info->text;
  return run;
}

std::string why_not_varied(const tc::config::machine& machine, std::uint64_t runs) {
  const tc::config::jitter_parameters& jitter = machine.jitter;
  if (runs == 0) return "";
  if (jitter.start_cycles == 0 && jitter.latency_cycles == 0 && !jitter.ties)
    return "nothing varies: jitter.start_cycles and jitter.latency_cycles are 0, and jitter.ties is false";
  if (first_varied_seed(jitter.seed) > std::numeric_limits<std::uint64_t>::max() - (runs - 1))
    return fmt::format("the seeds from jitter.seed={} on do not suffice: the largest is {}", jitter.seed,
                       std::numeric_limits<std::uint64_t>::max());
  return "";
}

varied_runs::varied_runs(const tc::config::machine& machine, unsigned runs, unsigned at_a_time, const run_machine& run)
    : asked_(runs), plain_seed_(machine.jitter.seed) {
  if (runs == 0) return;
  if (const std::string why = why_not_varied(machine, runs); !why.empty()) throw usage_error(fmt::format("--jitter {}: {}", runs, why));
  watch_.emplace();
  const bool is_plain_one_of_them = plain_seed_ != 0;
  const std::uint64_t first = plain_seed_ + 1, count = is_plain_one_of_them ? runs - 1 : runs;
  progress_bar progress("runs varied by chance", count);
  for (std::uint64_t done = 0; done < count && failure_ == nullptr && interruption() == 0; done += at_a_time) {
    run_some(machine, first + done, first + std::min<std::uint64_t>(count, done + at_a_time), run);
    progress.show_if_due([&] { return progress_bar::state{ended_.size() + stopped_.size()}; });
  }
}

/// Those with seeds from `first` to before `end`, at the same time. What has ended when a signal comes is kept.
void varied_runs::run_some(const tc::config::machine& machine, std::uint64_t first, std::uint64_t end, const run_machine& run) {
  std::uint64_t seed = first;
  try {
    std::list<process_copy> started;
    for (; seed != end; ++seed)
      started.emplace_back("repeats the run", [&machine, &run, seed] { return run_with_seed(machine, seed, run); });
    seed = first;
    for (process_copy& process : started) {
      try {
        add(varied_run_from(process.result()));
      } catch (const std::runtime_error&) {
        if (interruption() == 0) throw;
      }
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

void varied_runs::add(varied_run run) { (run.has_ended() ? ended_ : stopped_).push_back(std::move(run)); }

void varied_runs::add_plain(varied_run run) {
  if (failure_ != nullptr && interruption() == 0) std::rethrow_exception(failure_);
  if (asked_ == 0 || plain_seed_ == 0) return;
  if (run.has_ended())
    ended_.insert(ended_.begin(), std::move(run));
  else
    stopped_.insert(stopped_.begin(), std::move(run));
}

spread varied_runs::cycles_of(std::size_t kernel) const {
  std::vector<std::uint64_t> cycles;
  for (const varied_run& run : ended_) cycles.push_back(run.cycles.at(kernel));
  return spread_of(std::move(cycles));
}

std::vector<std::pair<std::string, unsigned>> varied_runs::limits() const {
  std::vector<std::pair<std::string, unsigned>> limits;
  for (const varied_run& run : ended_) {
    const auto known = std::find_if(limits.begin(), limits.end(), [&](const auto& each) { return each.first == run.limit; });
    if (known != limits.end())
      ++known->second;
    else if (!run.limit.empty())
      limits.emplace_back(run.limit, 1);
  }
  std::stable_sort(limits.begin(), limits.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
  return limits;
}

std::vector<varied_run> varied_runs::wrong() const {
  std::vector<varied_run> wrong;
  std::copy_if(ended_.begin(), ended_.end(), std::back_inserter(wrong), [](const varied_run& run) { return run.wrong_bytes > 0; });
  return wrong;
}

json::object varied_runs::json() const {
  json::array seeds, kernels, limited, stopped;
  for (const varied_run& run : ended_) seeds.emplace_back(run.seed);
  for (std::size_t k = 0; k < kernels_.size() && !ended_.empty(); ++k) {
    json::array cycles;
    for (const varied_run& run : ended_) cycles.emplace_back(run.cycles.at(k));
    const spread all = cycles_of(k);
    kernels.push_back({{"kernel", kernels_[k]},
                       {"cycles", std::move(cycles)},
                       {"median", all.median},
                       {"least", all.least},
                       {"lower_quartile", all.lower_quartile},
                       {"upper_quartile", all.upper_quartile},
                       {"most", all.most}});
  }
  for (const auto& [limit, runs] : limits()) limited.push_back({{"limit", limit}, {"runs", runs}});
  json::object all{{"asked_for", asked_},
                   {"runs", ended_.size()},
                   {"seeds", std::move(seeds)},
                   {"kernels", std::move(kernels)},
                   {"limits", std::move(limited)}};
  for (const varied_run& run : stopped_) stopped.push_back({{"seed", run.seed}, {"why", run.why_stopped}});
  if (!stopped.empty()) all["stopped"] = std::move(stopped);
  return all;
}

}  // namespace tcsim
