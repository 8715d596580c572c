// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli.hpp"
#include "exit_status.hpp"

namespace tcsim {

// Each adds a subcommand to a command. What becomes of it goes into `status`.

/// `tcsim config show|check|list`: the parameters of a machine.
void add_config_command(const cli_command& app, exit_status& status);

/// `tcsim conv`: makes the kernels of a convolution on tensor memory, runs them and checks the output, or writes a trace.
void add_convolution_command(const cli_command& app, exit_status& status);

/// `tcsim code`: reads machine code, words and cubins, without other tools.
void add_code_command(const cli_command& app, exit_status& status);

/// `tcsim diff`: what changed between two runs.
void add_diff_command(const cli_command& app, exit_status& status);

/// `tcsim error`: the errors of machines' dot products against exact arithmetic.
void add_error_command(const cli_command& app, exit_status& status);

/// `tcsim execute`: executes a launch without time, and compares memory with what was recorded.
void add_execute_command(const cli_command& app, exit_status& status);

/// `tcsim gemm`: makes the kernel of a matrix product, runs it and checks the product, or writes its trace.
void add_gemm_command(const cli_command& app, exit_status& status);

/// `tcsim import`: makes traces of what other tools recorded. Each format is a subcommand.
void add_import_command(const cli_command& app, exit_status& status);

/// `tcsim launch info|check|new`: what launches are, whether they fit their code, and new ones.
void add_launch_command(const cli_command& app, exit_status& status);

/// `tcsim layout`: which lane and register holds which element of the operands of a matrix instruction.
void add_layout_command(const cli_command& app, exit_status& status);

/// `tcsim probe`: infers the arithmetic of a machine's tensor cores by calling them.
void add_probe_command(const cli_command& app, exit_status& status);

/// `tcsim replay`: compares recorded vectors with the arithmetic of a machine, or records that arithmetic.
void add_replay_command(const cli_command& app, exit_status& status);

/// `tcsim report`: a page that shows a run or the results of a sweep.
void add_report_command(const cli_command& app, exit_status& status);

/// `tcsim results`: tables of the results of a sweep.
void add_results_command(const cli_command& app, exit_status& status);

/// `tcsim run`: runs traces on a machine, one after the other.
void add_run_command(const cli_command& app, exit_status& status);

/// `tcsim demo`: runs a compiled kernel that comes with tcsim, and says what to try next.
void add_demo_command(const cli_command& app, exit_status& status);

/// `tcsim sweep`: runs workloads on many machines, each in a process of its own.
void add_sweep_command(const cli_command& app, exit_status& status);

/// `tcsim trace check`: whether traces are correct.
void add_trace_command(const cli_command& app, exit_status& status);

}  // namespace tcsim
