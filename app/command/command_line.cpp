// SPDX-License-Identifier: Apache-2.0
#include "command_line.hpp"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>

#include <fmt/format.h>

#include <tc/numerics/instruction_set.hpp>
#include <tc/version.hpp>

#include "cli.hpp"
#include "commands.hpp"
#include "exit_status.hpp"
#include "failure.hpp"
#include "wrapped_text.hpp"

namespace tcsim {

namespace {

/// Without memory: nothing here allocates.
[[noreturn]] void end_without_memory() {
  constexpr std::string_view message =
      "tcsim: out of memory: the machine, its memories or its recordings need more than this process is given\n";
  [[maybe_unused]] const auto told = write(STDERR_FILENO, message.data(), message.size());
  _exit(static_cast<int>(exit_status::model_stopped));
}

/// The lowest number that is free is the next file's.
void open_standard_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream)
    if (fcntl(stream, F_GETFD) < 0 && errno == EBADF) open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

}  // namespace

void set_up_process() {
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);
  std::set_new_handler(end_without_memory);
}

namespace {

/// Of a stream that has failed before: what one more byte, which cannot spoil anything then, is answered with.
int reason_of_failure() {
  errno = 0;
  [[maybe_unused]] const auto written = write(STDOUT_FILENO, "\n", 1);
  return errno != 0 ? errno : EIO;
}

}  // namespace

void finish_output() {
  errno = 0;
  std::cout.flush();
  const bool is_whole = std::fflush(stdout) == 0 && std::ferror(stdout) == 0 && !std::cout.fail();
  if (!is_whole)
    throw usage_error(fmt::format("stdout: cannot write the result: {}", std::strerror(errno != 0 ? errno : reason_of_failure())));
}

namespace {

/// A message is a line, so that other programs find it, and in a terminal as many as it takes.
exit_status fail(exit_status status, const std::string& message) {
  const std::string line = "tcsim: " + message;
  constexpr std::size_t indent = 2;
  std::cerr << (isatty(STDERR_FILENO) == 1 ? wrapped_cell(line, indent) : line) << '\n';
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
      "A SystemC TLM-2.0 model of GPU tensor cores: runs warp traces of compiled kernels, returns the bits the silicon returns "
      "and counts the cycles it takes.\n",
      "tcsim " TC_VERSION_STRING);
  const cli_command app = program.command();
  app.footer(
      "Exit status: 0 done; 1 a check failed; 2 bad input or usage, nothing written; 3 the model stopped, or memory ran out; "
      "128 + n signal n ended it, with what was done until then.\n\n"
      "Example: tcsim demo");
  app.ask_for_subcommand();

  exit_status status = exit_status::done;
  add_demo_command(app, status);
  add_run_command(app, status);
  add_gemm_command(app, status);
  add_convolution_command(app, status);
  add_replay_command(app, status);
  add_execute_command(app, status);
  add_launch_command(app, status);
  add_trace_command(app, status);
  add_import_command(app, status);
  add_code_command(app, status);
  add_sweep_command(app, status);
  add_results_command(app, status);
  add_report_command(app, status);
  add_diff_command(app, status);
  add_config_command(app, status);
  add_layout_command(app, status);
  add_error_command(app, status);
  add_probe_command(app, status);
  program.add_help_command();
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
