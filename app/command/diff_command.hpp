// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// Adds `tcsim diff` to the command; its outcome goes into `status`.
void add_diff_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
