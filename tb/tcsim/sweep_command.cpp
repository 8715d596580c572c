#include "sweep_command.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "model_run.hpp"
#include "progress_bar.hpp"
#include "result_store.hpp"
#include "sqlite_connection.hpp"
#include "sweep_engine.hpp"
#include "sweep_plan_text.hpp"
#include "sweep_planner.hpp"
#include "sweep_report.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

struct sweep_options {
  std::string file, results;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  bool resume = false, fresh = false, dry_run = false;
};

/// The file of results with the plan in it.
result_store open_results(const sweep_options& options, const std::filesystem::path& results, const sweep_plan& plan) {
  if (options.fresh) return result_store::replace(results, plan);
  if (!std::filesystem::exists(results)) return result_store::create(results, plan);
  if (!options.resume)
    throw usage_error(
        fmt::format("{}: this file exists: go on with --resume, replace it with --fresh, or name another with --out", results.string()));
  auto store = result_store::open(results, result_store::access::write);
  store.replan(plan);
  return store;
}

engine_outcome run_missing(result_store& store, unsigned jobs) {
  const auto runs = store.unfinished_runs();
  progress_bar progress("sweep", runs.size(), progress_bar::elsewhere::lines);
  engine_options how;
  how.jobs = jobs;
  how.report = [&progress, start = std::chrono::steady_clock::now()](const engine_state& state) {
    progress.advance_to(state.done, fmt::format("{} of {} done, {} running, {} elapsed", state.done, state.total, state.running,
                                                duration_text(std::chrono::steady_clock::now() - start)));
  };
  try {
    return run_all(store, runs, run_on_model, how);
  } catch (const sqlite_error& error) {
    throw std::runtime_error(fmt::format("{}; what was saved before is kept, and --resume goes on with it", error.what()));
  }
}

exit_status run(const sweep_options& options) {
  std::optional<sweep_plan> plan = read_sweep(options.file);
  const std::filesystem::path results = options.results.empty() ? plan->name + ".sqlite" : options.results;
  if (options.dry_run) {
    std::cout << sweep_plan_text(*plan);
    return exit_status::done;
  }
  auto store = open_results(options, results, *plan);
  plan.reset();  // children have a copy of what this process holds
  const auto start = std::chrono::steady_clock::now();
  const engine_outcome outcome = run_missing(store, options.jobs);
  if (outcome.signal != 0) {
    std::cerr << fmt::format("tcsim: stopped by signal {} ({}); {} are left: tcsim sweep {} --out {} --resume goes on with them\n",
                             outcome.signal, strsignal(outcome.signal), counted(store.unfinished_runs().size(), "run"), options.file,
                             results.string());
    return exit_status::model_stopped;
  }
  std::cout << fmt::format("{}: {} in {}\n", results.string(), counted(outcome.done, "run"),
                           duration_text(std::chrono::steady_clock::now() - start))
            << outcome_text(store);
  return outcome_of(store);
}

}  // namespace

void add_sweep_command(CLI::App& app, exit_status& status) {
  auto* const command = app.add_subcommand("sweep", "Run workloads on many machines, and keep what they say in one file");
  const auto options = std::make_shared<sweep_options>();
  command->add_option("SWEEP", options->file, "The sweep file: base configuration, axes, workloads, metrics")->required()->type_name("");
  command->add_option("-j,--jobs", options->jobs, "Processes at a time")
      ->check(CLI::Range(1U, 4096U))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("-o,--out", options->results, "The file of results, an SQLite database (the sweep's name and .sqlite if not given)")
      ->type_name("FILE");
  auto* const resume = command->add_flag("--resume", options->resume, "Go on with a file of results: run only what is missing or failed");
  command->add_flag("--fresh", options->fresh, "Replace a file of results")->excludes(resume);
  command->add_flag("--dry-run", options->dry_run, "Check the sweep file and say what would be run");
  command->footer(
      "Exit status: 0 done; 1 wrong results; 2 bad input or usage, nothing run; 3 a run failed, or a signal stopped the sweep.\n\n"
      "Example: tcsim sweep configs/sweeps/register_banks.json -j 8 --out banks.sqlite");
  command->callback([options, &status] { status = run(*options); });
}

}  // namespace tcsim
