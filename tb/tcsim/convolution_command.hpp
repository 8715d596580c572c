#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.hpp"

namespace tcsim {

/// `tcsim conv`: makes the kernels of a convolution on tensor memory, runs them and checks the output, or writes a trace.
void add_convolution_command(CLI::App& app, exit_status& status);

}  // namespace tcsim
