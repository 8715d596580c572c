// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim layout`: which lane and register holds which element of the operands of a matrix instruction.
void add_layout_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
