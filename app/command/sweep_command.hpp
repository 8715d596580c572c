// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim sweep`: runs workloads on many machines, each in a process of its own.
void add_sweep_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
