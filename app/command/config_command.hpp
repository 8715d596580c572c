// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim config show|check|list`: the parameters of a machine.
void add_config_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
