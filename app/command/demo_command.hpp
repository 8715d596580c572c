// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim demo`: runs a compiled kernel that comes with tcsim, and says what to try next.
void add_demo_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
