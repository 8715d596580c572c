// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim import nvdisasm`: traces of kernels whose machine code nvdisasm listed.
void add_nvdisasm_import_command(const cli_command& import, exit_status& status);

}  // namespace tcsim
