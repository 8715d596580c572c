// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>
#include <tc/config/spelling.hpp>

#include "commands.hpp"
#include "options.hpp"
#include "result_store.hpp"
#include "sweep_plan.hpp"
#include "sweep_run.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

struct sweep_options {
  std::string file, results, collected, task_folder;
  unsigned jobs = processors();
  bool resume = false, fresh = false, dry_run = false, slurm = false, fixed_code = false;
  slurm_options cluster;
  std::size_t task = 0;
};

/// Throws usage_error unless the results are those of this sweep, or of an earlier text of its file: others are not forgotten by the way.
void check_resumed(const std::filesystem::path& results, const sweep_plan& old, const sweep_plan& plan,
                   const result_store::done_runs& done) {
  const std::size_t lost = done.all - done.asked_for;
  if (lost == 0) return;
  const auto refuse = [&](const std::string& holds) {
    throw usage_error(fmt::format("{}: {}; {} of its {} would be lost: name another file with --out, or replace this one with --fresh",
                                  results.string(), holds, lost, counted(done.all, "finished run")));
  };
  if (old.name != plan.name) refuse(fmt::format(R"(this file holds results of the sweep "{}", not of "{}")", old.name, plan.name));
  if (old.fixed_code != plan.fixed_code)
    refuse(old.fixed_code ? "its runs have fixed code, which this sweep does not ask for (--fixed-code)"
                          : "its runs have code made for each machine, and this sweep asks for fixed code");
  if (done.asked_for == 0) refuse("the sweep file asks for none of its results");
  std::cerr << fmt::format("tcsim: note: {}: {} not asked for any more, and dropped\n", results.string(),
                           lost == 1 ? "1 finished run is" : fmt::format("{} finished runs are", lost));
}

/// What stands in the way of a new file of results.
usage_error exists_error(const std::filesystem::path& results) {
  if (std::filesystem::is_directory(results)) return usage_error(fmt::format("{}: this is a folder; --out names a file", results.string()));
  result_store::open(results, result_store::access::read);  // throws for a file of another kind
  return usage_error(
      fmt::format("{}: this file exists: go on with --resume, replace it with --fresh, or name another with --out", results.string()));
}

/// The file of results with the plan in it.
result_store open_results(const sweep_options& options, const std::filesystem::path& results, const sweep_plan& plan) {
  if (!std::filesystem::exists(results)) return result_store::create(results, plan);
  if (std::filesystem::is_directory(results) || (!options.fresh && !options.resume)) throw exists_error(results);
  if (options.fresh) return result_store::replace(results, plan);
  auto store = result_store::open(results, result_store::access::write);
  check_resumed(results, store.outline(), plan, store.done_of(plan));
  store.replan(plan);
  return store;
}

exit_status run_file(const sweep_options& options) {
  std::optional<sweep_plan> plan = read_sweep(options.file, options.fixed_code, options.dry_run ? repeat_plan::counted : repeat_plan::all);
  const std::filesystem::path results = options.results.empty() ? plan->name + ".sqlite" : options.results;
  if (options.dry_run) {
    std::cout << sweep_plan_text(*plan);
    return exit_status::done;
  }
  if (options.slurm) longest_array();  // before a file is made
  auto store = open_results(options, results, *plan);
  plan.reset();  // children have a copy of what this process holds
  if (options.slurm) return submit_sweep(store, results, options.cluster);
  return run_missing(
      store, options.jobs, results.string(),
      fmt::format("tcsim sweep {} --out {}{} --resume", options.file, results.string(), options.fixed_code ? " --fixed-code" : ""));
}

exit_status run(const sweep_options& options) {
  const int asked = (options.file.empty() ? 0 : 1) + (options.collected.empty() ? 0 : 1) + (options.task_folder.empty() ? 0 : 1);
  if (asked != 1) throw usage_error("sweep: name a sweep file, or results with --collect; see tcsim sweep --help");
  if (!options.collected.empty()) return collect_sweep(options.collected);
  if (!options.task_folder.empty()) return run_task(options.task_folder, options.task, options.cluster.chunk, options.jobs);
  return run_file(options);
}

void add_cluster_options(const cli_command& command, sweep_options& options) {
  const auto slurm = command.add_flag("--slurm", options.slurm, "Submit the runs to a Slurm cluster, as one job array");
  command.add_option("--chunk", options.cluster.chunk, "Runs of a task of the array (as few as Slurm allows tasks if not given)")
      .positive()
      .type_name("N");
  command.add_option("--sbatch", options.cluster.sbatch_options, "An option for sbatch, as --sbatch=--partition=long; may be repeated")
      .type_name("OPTION")
      .repeatable()
      .needs(slurm);
  command.add_flag("--wait", options.cluster.wait, "With --slurm: wait for the array, then collect what it has done").needs(slurm);
  command.add_option("--collect", options.collected, "Merge what the tasks have done so far into this file of results").type_name("FILE");
  const auto folder =
      command.add_option("--slurm-task", options.task_folder, "What tasks call: do a chunk of the runs of a job array").type_name("FOLDER");
  command.add_option("--task", options.task, "Number of the task").type_name("N").needs(folder);
}

}  // namespace

void add_sweep_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("sweep", "Run workloads on many machines, and keep what they say in one file");
  const auto options = std::make_shared<sweep_options>();
  command.add_option("SWEEP", options->file, "The sweep file: base configuration, axes, workloads, metrics; or the name of a built-in one")
      .type_name("");
  command.add_option("-j,--jobs", options->jobs, "Processes at a time").between(1U, 4096U).type_name("N").capture_default_str();
  add_out_option(command, options->results, "The file of results, an SQLite database (the sweep's name and .sqlite if not given)");
  const auto resume = command.add_flag("--resume", options->resume, "Go on with a file of results: run only what is missing or failed");
  command.add_flag("--fresh", options->fresh, "Replace a file of results").excludes(resume);
  command.add_flag("--dry-run", options->dry_run, "Check the sweep file and say what would be run");
  command.add_flag("--fixed-code", options->fixed_code,
                   "Run the code made for the base configuration on all machines, instead of making it anew for each (gemm, conv); as "
                   "\"fixed_code\": true in the sweep file");
  add_cluster_options(command, *options);
  command.footer(
      "Built-in sweeps: " + tc::config::joined(tc::config::built_in_names(tc::config::built_in_kind::sweep)) +
      ".\n"
      "Exit status: 0 done; 1 wrong results; 2 bad input or usage, nothing run; 3 a run failed; 128 + n signal n stopped the sweep.\n\n"
      "Example: tcsim sweep mine.json -j 8 --out mine.sqlite\n"
      "Example: tcsim sweep register_banks --slurm --chunk 20 --sbatch=--partition=long\n"
      "Example: tcsim sweep --collect register_banks.sqlite");
  command.callback([options, &status] { status = run(*options); });
}

}  // namespace tcsim
