// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exit_status.hpp"
#include "result_store.hpp"

namespace tcsim {

/// Processes that this machine runs at a time.
unsigned processors();

/// Does the runs that are missing or failed, `jobs` at a time, shows how far it has come, and prints how the sweep stands in the end.
/// `name` is the file of results for people, `resume` the command that goes on after a signal has stopped it.
exit_status run_missing(result_store& store, unsigned jobs, const std::string& name, const std::string& resume);

}  // namespace tcsim
