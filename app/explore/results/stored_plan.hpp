// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sqlite_connection.hpp"
#include "sweep_plan.hpp"

namespace tcsim {

/// Marks an SQLite file as results of a sweep: PRAGMA application_id ("tcsw"), and its format: PRAGMA user_version.
inline constexpr int store_application = 0x74637377;
inline constexpr int store_format = 4;
/// In which the plain run of a repeated point was counted among those that chance varies: `repeat` is one more than these. It can be read.
inline constexpr int store_format_with_plain_runs = 3;

/// Statements that make the tables.
extern const std::string_view store_tables;

/// Where views are made: in the file, or beside it for a connection that may not write it.
enum class view_place { file, connection };

/// Statements that make the views anew: `results` and, if points have several runs, `repeated_results`. An expression may use the metrics
/// before it.
std::string results_view(const sweep_plan& plan, view_place where = view_place::file);

/// Writes a plan into the empty tables of a results file, and makes its view. Throws usage_error if an expression among the metrics is
/// none.
void write_plan(sqlite_connection& connection, const sweep_plan& plan);

/// The plan in a results file of either format, without its runs and points.
sweep_plan read_outline(const sqlite_connection& connection);

/// Throws std::out_of_range if there is none of this id.
planned_run read_run(const sqlite_connection& connection, std::int64_t id);

}  // namespace tcsim
