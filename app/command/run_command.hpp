// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli.hpp"
#include "exit_status.hpp"
#include "recording_options.hpp"

namespace tcsim {

/// What the command line says, as it was typed.
struct run_command_options {
  std::vector<std::string> traces;
  std::string configuration;
  std::vector<std::string> assignments;
  bool no_data = false;
  bool strict = false;
  bool units = false;
  std::optional<std::uint64_t> max_cycles;
  unsigned jobs = 1;
  recording_options recording;
};

/// Runs the traces and prints what came of it. Throws what opening them and the machine does.
exit_status run_traces(const run_command_options& options);

/// `tcsim run`: runs traces on a machine, one after the other.
void add_run_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
