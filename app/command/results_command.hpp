// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim results`: tables of the results of a sweep.
void add_results_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
