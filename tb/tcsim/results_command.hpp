#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim results`: tables of the results of a sweep.
void add_results_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
