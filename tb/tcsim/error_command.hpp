#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim error`: the errors of machines' dot products against exact arithmetic.
void add_error_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
