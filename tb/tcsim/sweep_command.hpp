#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim sweep`: runs workloads on many machines, each in a process of its own.
void add_sweep_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
