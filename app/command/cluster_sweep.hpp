// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include "exit_status.hpp"
#include "result_store.hpp"
#include "slurm_array.hpp"

namespace tcsim {

/// Submits the runs of `store` that are missing or failed, once what earlier job arrays have left is collected, and says how to go on;
/// with slurm_options::wait, collects what the array has done and prints how the sweep stands.
exit_status submit_sweep(result_store& store, const std::filesystem::path& results, const slurm_options& options);

/// Merges what the tasks have saved into the file of results, and prints how the sweep stands.
exit_status collect_sweep(const std::filesystem::path& results);

/// Does the runs of one task of a job array, `jobs` at a time.
exit_status run_task(const std::filesystem::path& folder, std::size_t task, std::size_t chunk, unsigned jobs);

}  // namespace tcsim
