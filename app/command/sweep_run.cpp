// SPDX-License-Identifier: Apache-2.0
#include "sweep_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <unistd.h>

#include <fmt/format.h>

#include "model_run.hpp"
#include "progress_bar.hpp"
#include "sqlite_connection.hpp"
#include "sweep_engine.hpp"
#include "sweep_report.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

using clock = std::chrono::steady_clock;

engine_outcome run_with_progress(result_store& store, unsigned jobs) {
  const auto runs = store.unfinished_runs();
  progress_bar progress("sweep", runs.size(), progress_bar::elsewhere::lines);
  engine_options how;
  how.jobs = jobs;
  how.report = [&progress, start = clock::now()](const engine_state& state) {
    progress.advance_to(state.done, fmt::format("{} of {} done, {} running, {} elapsed", state.done, state.total, state.running,
                                                duration_text(clock::now() - start)));
  };
  try {
    return run_all(store, runs, run_on_model, how);
  } catch (const sqlite_error& error) {
    throw std::runtime_error(fmt::format("{}; what was saved before is kept, and --resume goes on with it", error.what()));
  }
}

}  // namespace

unsigned processors() { return static_cast<unsigned>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN))); }

exit_status run_missing(result_store& store, unsigned jobs, const std::string& name, const std::string& resume) {
  const auto start = clock::now();
  const engine_outcome outcome = run_with_progress(store, jobs);
  if (outcome.signal != 0) {
    std::cerr << fmt::format("tcsim: stopped by signal {} ({}); {} are left: {} goes on with them\n", outcome.signal,
                             strsignal(outcome.signal), counted(store.unfinished_runs().size(), "run"), resume);
    return exit_status::model_stopped;
  }
  std::cout << fmt::format("{}: {} in {}\n", name, counted(outcome.done, "run"), duration_text(clock::now() - start))
            << outcome_text(store);
  return outcome_of(store);
}

}  // namespace tcsim
