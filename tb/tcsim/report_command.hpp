#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// Adds `tcsim report`: a page that shows a run or the results of a sweep.
void add_report_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
