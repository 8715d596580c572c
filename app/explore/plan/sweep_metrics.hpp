// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweep_file.hpp"
#include "sweep_plan.hpp"

namespace tcsim {

/// The metrics that the sweep file asks for, or the usual ones of its workloads, those of its Pareto front, and those that expressions of
/// these use; an expression stands behind what it uses. Throws config_error for a metric that is not known, that no workload of the sweep
/// has, that has the name of another column, or whose expression is none or uses itself.
std::vector<metric> sweep_metrics(const sweep_file& file);

/// The two metrics or axes of the Pareto front; empty if the file names none. Throws config_error.
std::vector<std::string> pareto_metrics(const sweep_file& file, const std::vector<metric>& metrics);

}  // namespace tcsim
