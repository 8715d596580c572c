// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sqlite_connection.hpp"
#include "sweep_plan.hpp"

namespace tcsim {

/// Writes a plan into the empty tables of a results file, and makes its view. Throws usage_error if an expression among the metrics is
/// none.
void write_plan(sqlite_connection& connection, const sweep_plan& plan);

/// The plan in a results file, without its runs and points.
sweep_plan read_outline(const sqlite_connection& connection);

/// Throws std::out_of_range if there is none of this id.
planned_run read_run(const sqlite_connection& connection, std::int64_t id);

}  // namespace tcsim
