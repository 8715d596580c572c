// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim import`: makes traces of what other tools recorded. Each format is a subcommand.
void add_import_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
