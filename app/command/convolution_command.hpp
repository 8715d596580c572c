// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim conv`: makes the kernels of a convolution on tensor memory, runs them and checks the output, or writes a trace.
void add_convolution_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
