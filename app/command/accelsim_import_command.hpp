// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim import accelsim`: traces of the Accel-Sim framework.
void add_accelsim_import_command(const cli_command& import, exit_status& status);

}  // namespace tcsim
