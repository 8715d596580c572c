// SPDX-License-Identifier: Apache-2.0
#include "demo_command.hpp"

#include <iostream>
#include <memory>
#include <string>

#include "data_folder.hpp"
#include "run_command.hpp"

namespace tcsim {

namespace {

constexpr const char* example = "sm_75.tiled_f16_f32";

constexpr const char* next_steps = R"(
What to try next:
  tcsim run sm_75.tiled_f16_f32 --config turing --set sm.sub_core.tensor_core.dot_product_units=1
  tcsim run sm_90.gemm_f16_f32_m16n16k16.rough --config hopper
  tcsim gemm --config hopper --size 512 --instructions wgmma
  tcsim gemm --config hopper --size 128 --stats run.json --stats-interval 100 --pictures && tcsim report run.json -o run.html
  tcsim sweep turing_buffers && tcsim report turing_buffers.sqlite -o buffers.html
  tcsim config list        every parameter of the machine; tcsim config show NAME prints a whole one to copy
  tcsim run --help
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
  if (status == exit_status::done) std::cout << next_steps;
  return status;
}

}  // namespace

void add_demo_command(const cli_command& app, exit_status& status) {
  const auto command =
      app.add_subcommand("demo", "Run a kernel that nvcc compiled on the model of a Turing sub-core, and say what to try next");
  const auto statistics_file = std::make_shared<std::string>();
  command.add_option("--stats", *statistics_file, "Write all counters to this JSON file").type_name("FILE");
  command.footer("Example: tcsim demo");
  command.callback([statistics_file, &status] { status = run_demo(*statistics_file); });
}

}  // namespace tcsim
