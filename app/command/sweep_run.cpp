// SPDX-License-Identifier: Apache-2.0
#include "sweep_run.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "interruption.hpp"
#include "model_run.hpp"
#include "progress_bar.hpp"
#include "sqlite_connection.hpp"
#include "sweep_engine.hpp"
#include "sweep_remarks.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

constexpr std::size_t most_messages = 5;

std::string runs_text(std::size_t runs, std::size_t points, unsigned repeat) {
  if (repeat > 1) return fmt::format("{}: of each point that takes time {} varied by chance and a plain one", runs, repeat);
  return runs == points ? fmt::format("{}", runs) : fmt::format("{}, as points that amount to the same share one", runs);
}

std::size_t count(const result_store& store, std::string_view condition) {
  sqlite_statement runs(store.handle(), fmt::format("SELECT count(*) FROM runs WHERE {}", condition));
  runs.next();
  return static_cast<std::size_t>(runs.integer(0));
}

/// A line for each reason for which runs failed, with the first point that it happened to, and of repeated ones the seed.
std::string failures_text(const result_store& store) {
  const bool is_repeated = store.outline().repeat > 1;
  sqlite_statement reasons(store.handle(),
                           fmt::format("SELECT message, count(DISTINCT run), min(number), {} FROM {} WHERE exit_status <> 0 "
                                       "GROUP BY message ORDER BY min(number)",
                                       is_repeated ? "seed" : "0", is_repeated ? "repeated_results" : "results"));
  std::string text;
  for (std::size_t lines = 0; reasons.next(); ++lines) {
    if (lines == most_messages) return text + "  and others: see tcsim results --failed\n";
    const std::string seed = is_repeated ? fmt::format(" with jitter.seed={}", reasons.integer(3)) : "";
    text += fmt::format("  {}, the first of point {}{}: {}\n", counted(static_cast<std::uint64_t>(reasons.integer(1)), "run"),
                        reasons.integer(2), seed, reasons.text(0));
  }
  return text;
}

}  // namespace

std::string outcome_text(const result_store& store) {
  text_table table(std::vector(2, text_table::align::left));
  table.add({"points", std::to_string(store.point_count())});
  table.add({"runs", runs_text(store.run_count(), store.point_count(), store.outline().repeat)});
  table.add({"done", std::to_string(count(store, "exit_status = 0"))});
  const std::size_t wrong = count(store, "exit_status = 1"), failed = count(store, "exit_status > 1"),
                    missing = count(store, "exit_status IS NULL");
  if (wrong > 0) table.add({"wrong results", std::to_string(wrong)});
  if (failed > 0) table.add({"failed", std::to_string(failed)});
  if (missing > 0) table.add({"missing", std::to_string(missing)});
  const std::size_t warned = count(store, "json_array_length(statistics, '$.warnings') > 0");
  if (warned > 0) table.add({"with warnings", std::to_string(warned)});
  return table.text() + failures_text(store) + remarks_text(store);
}

exit_status outcome_of(const result_store& store) {
  if (!store.unfinished_runs().empty()) return exit_status::model_stopped;
  return count(store, "exit_status = 1") > 0 ? exit_status::check_failed : exit_status::done;
}

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
    return status_of_signal(outcome.signal);
  }
  std::cout << fmt::format("{}: {} in {}\n", name, counted(outcome.done, "run"), duration_text(clock::now() - start))
            << outcome_text(store);
  return outcome_of(store);
}

namespace {

exit_status collect(result_store& store, const std::filesystem::path& results) {
  const collected_shards collected = collect_shards(store, results);
  std::cout << fmt::format("{}: {} from {}\n", results.string(), counted(collected.runs, "new run"), counted(collected.shards, "shard"))
            << outcome_text(store);
  return outcome_of(store);
}

}  // namespace

exit_status submit_sweep(result_store& store, const std::filesystem::path& results, const slurm_options& options) {
  if (std::filesystem::exists(slurm_folder(results))) collect_shards(store, results);
  const slurm_array array = submit_array(store, results, options);
  std::cout << fmt::format("job {}: {} in {}; logs and results of the tasks are in {}\n", array.job, counted(array.runs, "run"),
                           counted(array.tasks, "task"), array.folder.string());
  if (options.wait) return collect(store, results);
  std::cout << fmt::format("when it has ended, or meanwhile: tcsim sweep --collect {}\n", results.string());
  return exit_status::done;
}

exit_status collect_sweep(const std::filesystem::path& results) {
  auto store = result_store::open(results, result_store::access::write);
  return collect(store, results);
}

exit_status run_task(const std::filesystem::path& folder, std::size_t task, std::size_t chunk, unsigned jobs) {
  slurm_task work(folder, task, chunk);
  return run_missing(work.shard(), jobs, fmt::format("task {}", task), "the same task, submitted again,");
}

}  // namespace tcsim
