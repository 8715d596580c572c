#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim import`: makes traces of what other tools recorded. Each format is a subcommand.
void add_import_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
