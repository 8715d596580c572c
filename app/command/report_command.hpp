// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// Adds `tcsim report`: a page that shows a run or the results of a sweep.
void add_report_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
