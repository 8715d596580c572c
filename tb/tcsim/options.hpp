#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace tcsim {

/// The option --set, which several subcommands have.
void add_set_option(CLI::App& command, std::vector<std::string>& assignments);

/// The options --config and --set of subcommands that run one machine.
void add_machine_options(CLI::App& command, std::string& configuration, std::vector<std::string>& assignments);

/// "Built in: ampere, ...", for help texts.
std::string built_in_configurations();

/// A command that is nothing without a subcommand: called without one, or with an unknown one, it says which there are.
void ask_for_subcommand(CLI::App& command);

}  // namespace tcsim
