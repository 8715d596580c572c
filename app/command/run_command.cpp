// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tc/device/gpu.hpp>

#include "commands.hpp"
#include "configuration.hpp"
#include "data_folder.hpp"
#include "interruption.hpp"
#include "jitter_report.hpp"
#include "options.hpp"
#include "run_kernels.hpp"
#include "run_recording.hpp"
#include "run_report.hpp"
#include "simulation.hpp"
#include "wrapped_text.hpp"

namespace tcsim {

namespace {

namespace accounting = tc::accounting;
namespace device = tc::device;

/// What the command line says, as it was typed.
struct run_command_options {
  std::vector<std::string> traces;
  std::string configuration;
  std::vector<std::string> assignments;
  bool no_data = false;
  verdict_options verdict;
  std::optional<std::uint64_t> max_cycles;
  unsigned jobs = 1, jitter = 0;
  recording_options recording;
};

/// Runs the traces and prints what came of it. Throws what opening them and the machine does.
exit_status run_traces(const run_command_options& options) {
  const interruption_watch watch;
  const auto machine = load_configuration(options.configuration, options.assignments);
  const run_kernels kernels(options.traces, machine, !options.no_data);
  if (kernels.have_launches() && options.jobs > 1 && options.jitter == 0)
    throw usage_error("--jobs: a launch is executed in one order, that of the machine, and so in one process; leave --jobs out");
  run_recording recording(options.recording);

  const std::vector<device::kernel_source> sources = kernels.sources();
  const auto again = [&](const tc::config::machine& varied) {
    device::gpu gpu("gpu", varied, sources, run_options_for(varied, !options.no_data, options.max_cycles));
    return varied_run_of(run_to_end(gpu), varied);
  };
  varied_runs runs(machine, options.jitter, options.jobs, again);

  device::gpu gpu("gpu", machine, sources, recording.with_records(run_options_for(machine, !options.no_data, options.max_cycles)));
  const accounting::run_result result = recording.run(gpu, runs.any() ? 1 : options.jobs);
  if (result.status != accounting::run_status::finished)
    return finish_cut_runs(result, machine, recording, runs, options.verdict, options.max_cycles);

  const accounting::run_summary summary = accounting::summarize(result, machine);
  std::cout << report_of(result, summary, machine);
  if (options.verdict.units) std::cout << unit_report_of(summary);
  exit_status executions = exit_status::done;
  std::cout << kernels.verdict_on_executions(gpu, executions);
  const exit_status status = finish_runs(result, machine, recording, runs, options.verdict.strict);
  return status == exit_status::done ? executions : status;
}

}  // namespace

void add_run_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("run", "Run warp traces and launches on a machine: compare the results, count the cycles");
  const auto options = std::make_shared<run_command_options>();
  command
      .add_option("TRACE", options->traces,
                  "Trace files (text, .xz, .gz or packed), or names of examples, or - for stdin; launches (a folder, or a .tar), "
                  "which are executed while they run: kernels that run one after the other, memory kept")
      .required()
      .type_name("");
  add_machine_options(command, options->configuration, options->assignments);
  command.add_flag("--no-data", options->no_data, "Count cycles only: compute no values, compare nothing");
  command.add_option("--max-cycles", options->max_cycles, "Give up at this cycle (exit status 3)").type_name("N");
  add_verdict_options(command, options->verdict);
  add_jobs_option(command, options->jobs);
  add_jitter_option(command, options->jitter);
  add_recording_options(command, options->recording);
  command.footer(
      built_in_configurations() +
      "\nExit status: 0 done; 1 wrong results, or warnings with --strict; 2 bad input or usage, nothing written; 3 the model stopped.\n\n"
      "Example: tcsim run kernel.trace --config turing --set sm.sub_core.tensor_core.dot_product_units=2 --stats run.json\n\n" +
      recording_help("tcsim run kernel.trace --config turing"));
  command.callback([options, &status] { status = run_traces(*options); });
}

namespace {

constexpr const char* example = "sm_75.tiled_f16_f32";

constexpr const char* next_steps = R"(
What to try next:
  tcsim run sm_75.tiled_f16_f32 --config turing --set sm.sub_core.tensor_core.dot_product_units=1
  tcsim run sm_90.gemm_f16_f32_m16n16k16.rough --config hopper
  tcsim gemm --config hopper --size 512 --instructions wgmma
  tcsim gemm --config hopper --size 128 --stats run.json --stats-interval 100 --pictures && tcsim report run.json -o run.html
  tcsim sweep turing_buffers && tcsim report turing_buffers.sqlite -o buffers.html
  tcsim config list hopper
  tcsim help run
)";

exit_status run_demo(const std::string& statistics_file) {
  if (find_trace(example) == example)
    throw usage_error("demo: the example traces are missing; they lie in share/tcsim beside the folder of an installed command");
  std::cout << "$ tcsim run " << example << " --config turing" << (statistics_file.empty() ? "" : " --stats " + statistics_file) << "\n\n";
  run_command_options options;
  options.traces = {example};
  options.configuration = "turing";
  options.recording.statistics_file = statistics_file;
  const exit_status status = run_traces(options);
  if (status == exit_status::done) std::cout << wrapped(next_steps);
  return status;
}

}  // namespace

void add_demo_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("demo", "Run a kernel that nvcc compiled on the model of a Turing SM, and say what to try next");
  const auto statistics_file = std::make_shared<std::string>();
  command.add_option("--stats", *statistics_file, "Write all counters to this JSON file").type_name("FILE");
  command.footer("Example: tcsim demo");
  command.callback([statistics_file, &status] { status = run_demo(*statistics_file); });
}

}  // namespace tcsim
