// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim probe`: infers the arithmetic of a machine's tensor cores by calling them.
void add_probe_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
