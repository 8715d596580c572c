#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim layout`: which lane and register holds which element of the operands of a matrix instruction.
void add_layout_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
