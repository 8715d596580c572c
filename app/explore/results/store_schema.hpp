// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sweep_plan.hpp"

namespace tcsim {

/// Marks an SQLite file as results of a sweep: PRAGMA application_id ("tcsw"), and its format: PRAGMA user_version.
inline constexpr int store_application = 0x74637377;
inline constexpr int store_format = 1;

/// Statements that make the tables.
extern const std::string_view store_tables;

/// Statements that make the view `results` anew. An expression may use the metrics before it.
std::string results_view(const std::vector<sweep_axis>& axes, const std::vector<metric>& metrics);

}  // namespace tcsim
