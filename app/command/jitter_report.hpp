// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

#include "cli.hpp"
#include "exit_status.hpp"
#include "run_recording.hpp"
#include "varied_runs.hpp"

namespace tcsim {

/// The option --jitter of subcommands that run kernels: how many runs there are, of which the first is as without it.
void add_jitter_option(const cli_command& command, unsigned& runs);

/// What follows the report of the first run, which has finished: prints how far the others lie apart from it, writes the statistics, and
/// gives the command's exit status. Which of the others have wrong results is told on stderr. Throws what one of them has thrown.
exit_status finish_runs(const tc::accounting::run_result& first, const tc::config::machine& machine, run_recording& recording,
                        varied_runs& runs, bool strict);

/// Throws usage_error for several runs beside an option that lets nothing run.
void refuse_jitter(unsigned runs, const char* instead);

}  // namespace tcsim
