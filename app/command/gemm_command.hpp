// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

/// `tcsim gemm`: makes the kernel of a matrix product, runs it and checks the product, or writes its trace.
void add_gemm_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
