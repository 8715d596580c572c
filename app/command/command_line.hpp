// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exit_status.hpp"

namespace tcsim {

/// Makes a process fit for a command, before anything else is done in it:
/// * A standard stream that the caller closed is opened again, on what refuses to be written, so that no file of a result gets its number.
/// * A file that grows beyond what the process may write (ulimit -f) is one that cannot be written, not the end of the process.
/// * Where memory runs out the process says so and ends with exit_status::model_stopped at once: what an exception would find on its way,
/// such
///   as recordings, may be half changed. Files that were being written have no name yet (tc::observe::pending_file).
void set_up_process();

/// Throws usage_error if stdout did not take all that was written to it: a result that is lost is no success.
void finish_output();

/// The command: reads the command line, does what it says, prints results on stdout and one message for a failure on stderr.
exit_status run_command_line(int argc, const char* const* argv);

}  // namespace tcsim
