// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "exit_status.hpp"
#include "result_store.hpp"
#include "slurm_array.hpp"

namespace tcsim {

/// How a sweep stands, as text: its points and runs, the failed ones with their reasons, and notes on its results.
std::string outcome_text(const result_store& store);

/// Done if every run is; model_stopped if any has no result; else check_failed.
exit_status outcome_of(const result_store& store);

/// Processes that this machine runs at a time.
unsigned processors();

/// Does the runs that are missing or failed, `jobs` at a time, shows how far it has come, and prints how the sweep stands in the end.
/// `name` is the file of results for people, `resume` the command that goes on after a signal has stopped it.
exit_status run_missing(result_store& store, unsigned jobs, const std::string& name, const std::string& resume);

/// Submits the runs of `store` that are missing or failed, once what earlier job arrays have left is collected, and says how to go on;
/// with slurm_options::wait, collects what the array has done and prints how the sweep stands.
exit_status submit_sweep(result_store& store, const std::filesystem::path& results, const slurm_options& options);

/// Merges what the tasks have saved into the file of results, and prints how the sweep stands.
exit_status collect_sweep(const std::filesystem::path& results);

/// Does the runs of one task of a job array, `jobs` at a time.
exit_status run_task(const std::filesystem::path& folder, std::size_t task, std::size_t chunk, unsigned jobs);

}  // namespace tcsim
