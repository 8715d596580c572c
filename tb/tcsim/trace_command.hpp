#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim trace check`: whether traces are correct.
void add_trace_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
