#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// Adds `tcsim diff` to the command; its outcome goes into `status`.
void add_diff_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
