// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>

#include <systemc>

#include <tc/config/presets.hpp>
#include <tc/version.hpp>

#include "cli.hpp"
#include "failure.hpp"
#include "random_suite.hpp"

// Random programs against a simple sequential executor, see docs/reliability.md.

namespace {

using namespace tcsim;

exit_status run(int argc, const char* const* argv) {
  random_programs::suite_options options;
  options.configurations = tc::config::preset_names();
  options.folder = "build/random";
  const cli_program program("tc_random_programs",
                            "Runs random programs on machines of random timing: their results must be those of a sequential executor",
                            "tc_random_programs " TC_VERSION_STRING);
  const cli_command app = program.command();
  constexpr unsigned most_jobs = 1024, longest = 3600;
  exit_status status = exit_status::done;
  app.add_option("--seed", options.seed, "Seed of the first program; the others follow").capture_default_str();
  app.add_option("--programs", options.programs, "How many programs").capture_default_str();
  app.add_option("--seconds", options.seconds, "Run for so long instead");
  app.add_option("--broken", options.broken_percent, "Per cent of the programs that break a rule").between(0U, 100U).capture_default_str();
  app.add_option("--jobs", options.jobs, "Programs at a time").between(1U, most_jobs).capture_default_str();
  app.add_option("--time-limit", options.time_limit, "Seconds that a program may take").between(1U, longest).capture_default_str();
  app.add_option("--machine", options.configurations, "A built-in configuration; all, if there is none")
      .one_of(options.configurations)
      .repeatable();
  app.add_option("--folder", options.folder, "Where programs that show something are left").capture_default_str();
  app.footer(
      "Exit status: 0 nothing found; 1 something found; 2 usage.\n\n"
      "Example: tc_random_programs --seconds 3600 --jobs 2 --machine hopper");
  app.callback([&] { status = random_programs::run_suite(options) ? exit_status::done : exit_status::check_failed; });
  program.run(argc, argv);
  return status;
}

}  // namespace

// SystemC's library has a main of its own, which greets on stderr before sc_main runs.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) {
  set_up_reports();
  try {
    return static_cast<int>(run(argc, argv));
  } catch (...) {
    const failure why = current_failure();
    std::cerr << "tc_random_programs: " << why.message << '\n';
    return static_cast<int>(why.status);
  }
}
