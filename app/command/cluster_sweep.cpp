// SPDX-License-Identifier: Apache-2.0
#include "cluster_sweep.hpp"

#include <iostream>

#include <fmt/format.h>

#include "sweep_report.hpp"
#include "sweep_run.hpp"
#include "wording.hpp"

namespace tcsim {

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
