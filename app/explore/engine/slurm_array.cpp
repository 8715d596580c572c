// SPDX-License-Identifier: Apache-2.0
#include "slurm_array.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <regex>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "atomic_file.hpp"
#include "exit_status.hpp"
#include "external_program.hpp"

namespace tcsim {

namespace fs = std::filesystem;

namespace {

constexpr const char* plan_name = "plan.sqlite";

/// The outline of a sweep with some of its runs, and without points.
sweep_plan part_of(const result_store& store, const std::vector<std::int64_t>& runs) {
  sweep_plan part = store.outline();
  for (const std::int64_t id : runs) part.runs.push_back(store.run(id));
  return part;
}

/// Without its newline at the end.
std::string line_of(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

std::size_t chunk_of(const slurm_options& options, std::size_t runs) {
  const std::size_t most = longest_array(), least_chunk = (runs + most - 1) / most;
  if (options.chunk == 0) return least_chunk;
  if (options.chunk < least_chunk)
    throw usage_error(
        fmt::format("--chunk {}: {} runs in so small chunks are more tasks than the {} that Slurm allows in a job array; at least {}",
                    options.chunk, runs, most, least_chunk));
  return options.chunk;
}

/// A word for the shell, whatever is in it.
std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + '\'';
}

std::string script_of(const fs::path& folder, std::size_t chunk) {
  return fmt::format(
      "#!/bin/sh\n"
      "# A task of a sweep's job array: it does its chunk of the runs in plan.sqlite and saves them in a file of its own.\n"
      "exec {} sweep --slurm-task {} --task \"$SLURM_ARRAY_TASK_ID\" --chunk {} -j \"${{SLURM_CPUS_PER_TASK:-1}}\"\n",
      quoted(fs::read_symlink("/proc/self/exe").string()), quoted(folder.string()), chunk);
}

/// A new folder for a job array, which goes away unless the job was submitted.
class submission_folder {
 public:
  explicit submission_folder(const fs::path& parent) {
    std::error_code error;
    fs::create_directories(parent, error);
    for (unsigned number = 1; !error && path_.empty(); ++number)
      if (fs::create_directory(parent / std::to_string(number), error)) path_ = parent / std::to_string(number);
    if (error) throw usage_error(fmt::format("{}: cannot make this folder: {}", parent.string(), error.message()));
  }
  ~submission_folder() {
    if (is_kept_) return;
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    fs::remove(path_.parent_path(), ignored);  // if nothing else is in it
  }
  submission_folder(const submission_folder&) = delete;
  submission_folder& operator=(const submission_folder&) = delete;

  const fs::path& path() const { return path_; }
  void keep() { is_kept_ = true; }

 private:
  fs::path path_;
  bool is_kept_ = false;
};

/// The job's id: what --parsable prints, up to the name of a cluster.
std::string submit(const fs::path& folder, std::size_t tasks, const slurm_options& options) {
  std::vector<std::string> words{"sbatch",
                                 "--parsable",
                                 fmt::format("--array=0-{}", tasks - 1),
                                 "--job-name=tcsim",
                                 fmt::format("--output={}/task_%a.log", folder.string()),
                                 "--open-mode=append"};
  if (options.wait) words.emplace_back("--wait");
  words.insert(words.end(), options.sbatch_options.begin(), options.sbatch_options.end());
  words.push_back((folder / "job.sh").string());
  const program_output printed = run_program(words);
  std::string id = printed.out.substr(0, printed.out.find_first_of(";\n"));
  // With --wait the status is that of the tasks; the shards tell more of them.
  if (id.empty()) throw usage_error(fmt::format("sbatch refuses the job: {}", line_of(printed.err)));
  return id;
}

result_store open_shard(const fs::path& folder, std::size_t task, std::size_t chunk) {
  const result_store plan = result_store::open(folder / plan_name, result_store::access::immutable);
  const std::vector<std::int64_t> all = plan.all_runs();
  if (task >= (all.size() + chunk - 1) / chunk)
    throw usage_error(fmt::format("--task {}: {} runs in chunks of {} make the tasks 0 to {}", task, all.size(), chunk,
                                  (all.size() + chunk - 1) / chunk - 1));
  const fs::path file = folder / fmt::format("shard_{}.sqlite", task);
  if (fs::exists(file)) return result_store::open(file, result_store::access::write);
  const auto first = all.begin() + static_cast<std::ptrdiff_t>(task * chunk);
  const auto last = all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), (task + 1) * chunk));
  return result_store::create(file, part_of(plan, {first, last}), result_store::journal::rollback);
}

bool is_shard(const fs::path& file) {
  const std::string name = file.filename().string();
  return name.rfind("shard_", 0) == 0 && file.extension() == ".sqlite";
}

}  // namespace

fs::path slurm_folder(const fs::path& results) { return fs::absolute(results.string() + ".slurm"); }

std::size_t longest_array() {
  const program_output shown = run_program({"scontrol", "show", "config"});
  if (shown.exit_status != 0) throw usage_error(fmt::format("Slurm does not answer: {}", line_of(shown.err)));
  static const std::regex row(R"(MaxArraySize\s*=\s*(\d+))");
  std::smatch found;
  // The index of a task is below it.
  constexpr std::size_t by_default = 1001;  // slurm.conf(5)
  const std::size_t size = std::regex_search(shown.out, found, row) ? std::stoul(found[1]) : by_default;
  return std::max<std::size_t>(size, 1);
}

slurm_array submit_array(const result_store& store, const fs::path& results, const slurm_options& options) {
  const std::vector<std::int64_t> runs = store.unfinished_runs();
  if (runs.empty()) throw usage_error(fmt::format("{}: nothing is left to run", results.string()));
  const std::size_t chunk = chunk_of(options, runs.size()), tasks = (runs.size() + chunk - 1) / chunk;
  submission_folder folder(slurm_folder(results));
  result_store::create(folder.path() / plan_name, part_of(store, runs), result_store::journal::rollback);
  write_atomically(folder.path() / "job.sh", script_of(folder.path(), chunk));
  const std::string job = submit(folder.path(), tasks, options);
  folder.keep();
  return {job, folder.path(), tasks, runs.size()};
}

slurm_task::slurm_task(const fs::path& folder, std::size_t task, std::size_t chunk) : shard_(open_shard(folder, task, chunk)) {}

collected_shards collect_shards(result_store& store, const fs::path& results) {
  collected_shards collected;
  if (!fs::is_directory(slurm_folder(results)))
    throw usage_error(fmt::format("{}: no sweep was submitted with these results; there is no folder {}", results.string(),
                                  slurm_folder(results).string()));
  std::vector<fs::path> shards;
  for (const auto& entry : fs::recursive_directory_iterator(slurm_folder(results)))
    if (entry.is_regular_file() && is_shard(entry.path())) shards.push_back(entry.path());
  std::sort(shards.begin(), shards.end());
  for (const fs::path& shard : shards) {
    collected.runs += store.merge(result_store::open(shard, result_store::access::read));
    ++collected.shards;
  }
  return collected;
}

}  // namespace tcsim
