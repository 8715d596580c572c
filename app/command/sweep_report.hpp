// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "exit_status.hpp"
#include "result_store.hpp"

namespace tcsim {

/// How a sweep stands: points, runs, what failed and why, and what somebody should know who reads its results.
std::string outcome_text(const result_store& store);

/// Done if every run is; model_stopped if any has no result; else check_failed.
exit_status outcome_of(const result_store& store);

}  // namespace tcsim
