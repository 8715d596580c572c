#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim run`: runs traces on a machine, one after the other.
void add_run_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
