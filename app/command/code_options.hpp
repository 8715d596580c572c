// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>

#include "cli.hpp"

namespace tcsim {

/// For which machine the command line asks code to be made.
struct code_options {
  bool fixed = false;                    ///< --fixed-code
  std::vector<std::string> assignments;  ///< --code-set
};

/// The options --fixed-code and --code-set of subcommands that make kernels.
void add_code_options(const cli_command& command, code_options& options);

/// The machine that code is made for; null: for the one that runs it. `configuration` is what stands behind --config. Throws config_error.
std::unique_ptr<const tc::config::machine> code_machine(const code_options& options, const std::string& configuration);

}  // namespace tcsim
