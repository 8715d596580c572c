// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "result_store.hpp"

namespace tcsim {

/// How the runs of a sweep are spread over a cluster.
struct slurm_options {
  std::size_t chunk = 0;                      ///< runs of a task; 0: as few as the cluster's longest job array allows
  std::vector<std::string> sbatch_options{};  ///< given to sbatch as they are, such as --partition=long
  bool wait = false;                          ///< until the last task has ended
};

/// A job array that does the runs of a sweep. It lives in a folder beside the file of results, `<results>.slurm/<number>`, that all nodes
/// see: `plan.sqlite`, the runs to be done, which the tasks only read; `shard_<task>.sqlite`, what a task has done; `task_<task>.log`;
/// `job.sh`, the script of the tasks.
struct slurm_array {
  std::string job;  ///< id
  std::filesystem::path folder;
  std::size_t tasks = 0, runs = 0;
};

/// The folder of the job arrays of a file of results.
std::filesystem::path slurm_folder(const std::filesystem::path& results);

/// Tasks that a job array of this cluster may have. Throws usage_error if Slurm is not there or does not answer.
std::size_t longest_array();

/// Submits the runs that are missing or failed as one job array. Throws usage_error if there are none, if Slurm is not there or refuses the
/// job, and then leaves nothing behind.
slurm_array submit_array(const result_store& store, const std::filesystem::path& results, const slurm_options& options);

/// The runs of one task: every unfinished one of those from task * chunk on. They are saved in the shard, which is made unless an earlier
/// attempt at the task has left one.
class slurm_task {
 public:
  /// Throws usage_error if there is no such folder or task.
  slurm_task(const std::filesystem::path& folder, std::size_t task, std::size_t chunk);

  result_store& shard() { return shard_; }

 private:
  result_store shard_;
};

/// What was found in the shards.
struct collected_shards {
  std::size_t shards = 0, runs = 0;  ///< of the runs, those that the results did not have yet
};

/// Merges all shards of all job arrays of a file of results into it, one after the other. Doing it again changes nothing, and it may be
/// done while tasks are running.
collected_shards collect_shards(result_store& store, const std::filesystem::path& results);

}  // namespace tcsim
