#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim probe`: infers the arithmetic of a machine's tensor cores by calling them.
void add_probe_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
