// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim run`: runs traces on a machine, one after the other.
void add_run_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
