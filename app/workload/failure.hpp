// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exit_status.hpp"

namespace tcsim {

/// What an exception that nobody could help tells the caller.
struct failure {
  exit_status status = exit_status::model_stopped;
  std::string message;
};

/// Of the exception that is being handled; to be called in a catch clause.
failure current_failure();

/// Makes SystemC's reports those of a command: what is displayed goes to stderr, as stdout is for results, and a fatal report, such as a
/// failed assertion, throws sc_report instead of aborting the process.
void set_up_reports();

}  // namespace tcsim
