// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace tcsim {

/// What another program gave.
struct program_output {
  int exit_status = 0;  ///< 128 + n: killed by signal n
  std::string out, err;
};

/// Runs a program, found along PATH, and waits for its end. Its arguments need no quotes: no shell reads them. Throws usage_error if it
/// cannot be started.
program_output run_program(const std::vector<std::string>& words);

}  // namespace tcsim
