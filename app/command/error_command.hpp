// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim error`: the errors of machines' dot products against exact arithmetic.
void add_error_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
