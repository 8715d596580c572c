// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <iostream>
#include <stdexcept>
#include <string>

#include <tc/numerics/instruction_set.hpp>
#include <tc/version.hpp>

#include "cli.hpp"
#include "config_command.hpp"
#include "convolution_command.hpp"
#include "demo_command.hpp"
#include "diff_command.hpp"
#include "error_command.hpp"
#include "failure.hpp"
#include "gemm_command.hpp"
#include "import_command.hpp"
#include "layout_command.hpp"
#include "probe_command.hpp"
#include "process.hpp"
#include "replay_command.hpp"
#include "report_command.hpp"
#include "reports.hpp"
#include "results_command.hpp"
#include "run_command.hpp"
#include "sweep_command.hpp"
#include "trace_command.hpp"

namespace tcsim {

namespace {

exit_status fail(exit_status status, const std::string& message) {
  std::cerr << "tcsim: " << message << '\n';
  return status;
}

/// A mistake in the environment is found before anything runs.
void check_environment() {
  try {
    tc::numerics::chosen_instruction_set();
  } catch (const std::invalid_argument& error) {
    throw usage_error(std::string("TCSIM_INSTRUCTION_SET: ") + error.what());
  }
}

exit_status parse_and_run(int argc, const char* const* argv) {
  const cli_program program(
      "tcsim",
      "A SystemC TLM-2.0 model of GPU tensor cores: runs warp traces of compiled kernels, returns the bits the silicon returns\n"
      "and counts the cycles it takes.\n",
      "tcsim " TC_VERSION_STRING);
  const cli_command app = program.command();
  app.footer(
      "Exit status: 0 done; 1 a check failed; 2 bad input or usage, nothing written; 3 the model stopped, or memory ran out.\n\n"
      "Example: tcsim demo");
  app.ask_for_subcommand();

  exit_status status = exit_status::done;
  add_demo_command(app, status);
  add_run_command(app, status);
  add_gemm_command(app, status);
  add_convolution_command(app, status);
  add_replay_command(app, status);
  add_trace_command(app, status);
  add_import_command(app, status);
  add_sweep_command(app, status);
  add_results_command(app, status);
  add_report_command(app, status);
  add_diff_command(app, status);
  add_config_command(app, status);
  add_layout_command(app, status);
  add_error_command(app, status);
  add_probe_command(app, status);
  program.run(argc, argv);
  return status;
}

}  // namespace

exit_status run_command_line(int argc, const char* const* argv) {
  set_up_reports();
  try {
    check_environment();
    const exit_status status = parse_and_run(argc, argv);
    finish_output();
    return status;
  } catch (...) {
    const failure why = current_failure();
    return fail(why.status, why.message);
  }
}

}  // namespace tcsim
