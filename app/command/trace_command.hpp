// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim trace check`: whether traces are correct.
void add_trace_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
