// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
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

/// The options --units and --strict of subcommands that run kernels.
struct verdict_options {
  bool units = false;   ///< the report has the units too
  bool strict = false;  ///< warnings are failures
};
void add_verdict_options(const cli_command& command, verdict_options& options);

/// The option -o, --out: the file that a subcommand writes, or `-` for stdout. It answers to --output too or, where that names a format, to
/// `other_name`.
cli_option add_out_option(const cli_command& command, std::string& file, const std::string& description,
                          const std::string& other_name = "--output");

/// "Built in: ampere, ...", for help texts.
std::string built_in_configurations();

/// What the command line says about what a run leaves besides its report, as it was typed. Names of files are empty where there is none.
struct recording_options {
  std::string statistics_file;                       ///< --stats
  std::optional<std::uint64_t> statistics_interval;  ///< --stats-interval
  bool pictures = false;                             ///< --pictures
  std::string wave_file;                             ///< --vcd
  std::vector<std::string> wave_scopes;              ///< --vcd-scope
  std::string timeline_file;                         ///< --timeline
  std::string konata_file;                           ///< --konata
  std::vector<std::string> scopes;                   ///< --scope
  std::string window;                                ///< --window; empty: the whole run
  std::vector<std::string> dumps;                    ///< --dump

  /// Any option is given.
  bool any() const {
    return !(statistics_file.empty() && !statistics_interval && !pictures && wave_file.empty() && wave_scopes.empty() &&
             timeline_file.empty() && konata_file.empty() && scopes.empty() && window.empty() && dumps.empty());
  }
};

/// The options of subcommands that run kernels.
void add_recording_options(const cli_command& command, recording_options& options);

/// Lines on what exit status 2 means of them, and an example for a command such as "tcsim run kernel.trace --config turing".
std::string recording_help(const std::string& command);

}  // namespace tcsim
