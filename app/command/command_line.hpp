// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exit_status.hpp"

namespace tcsim {

/// The command: reads the command line, does what it says, prints results on stdout and one message for a failure on stderr.
exit_status run_command_line(int argc, const char* const* argv);

}  // namespace tcsim
