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

}  // namespace tcsim
