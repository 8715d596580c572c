// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli.hpp"

namespace tcsim {

/// The option --set, which several subcommands have.
void add_set_option(const cli_command& command, std::vector<std::string>& assignments);

/// The options --config and --set of subcommands that run one machine.
void add_machine_options(const cli_command& command, std::string& configuration, std::vector<std::string>& assignments);

/// The option --jobs of subcommands that run kernels on one machine.
void add_jobs_option(const cli_command& command, unsigned& processes);

/// "Built in: ampere, ...", for help texts.
std::string built_in_configurations();

}  // namespace tcsim
