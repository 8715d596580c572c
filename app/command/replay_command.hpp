// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim replay`: compares recorded vectors with the arithmetic of a machine, or records that arithmetic.
void add_replay_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
