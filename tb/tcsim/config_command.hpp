#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim config show|check|list`: the parameters of a machine.
void add_config_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
