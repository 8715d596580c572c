// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

#include "cli.hpp"
#include "exit_status.hpp"
#include "options.hpp"
#include "run_recording.hpp"
#include "varied_runs.hpp"

namespace tcsim {

/// The option --jitter of subcommands that run kernels: how many runs varied by chance there are besides the plain one. 0: none.
void add_jitter_option(const cli_command& command, unsigned& runs);

/// What follows the report of the plain run, which has finished, while its machine exists: prints where the cycles of the others lie,
/// writes the statistics, and gives the command's exit status. Which of the others have wrong results, or none, is told on stderr. Throws
/// what one of them has thrown.
exit_status finish_runs(const tc::accounting::run_result& plain, const tc::config::machine& machine, run_recording& recording,
                        varied_runs& runs, bool strict);

/// The same where the plain run has not finished, after a signal or because the model stopped, which is told too.
exit_status finish_cut_runs(const tc::accounting::run_result& plain, const tc::config::machine& machine, run_recording& recording,
                            varied_runs& runs, const verdict_options& verdict, std::optional<std::uint64_t> max_cycles = {});

/// Throws usage_error for several runs beside an option that lets nothing run.
void refuse_jitter(unsigned runs, const char* instead);

}  // namespace tcsim
