// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sweep_plan.hpp"

namespace tcsim {

/// A metric that sweeps know by its name.
struct known_metric {
  metric what;
  std::vector<std::string> kinds;  ///< of workloads that have it
};

/// All of them. An expression uses only metrics that are in the table.
const std::vector<known_metric>& metric_table();

/// The metric of this name; null if there is none.
const known_metric* find_known_metric(const std::string& name);

/// Names of the metrics of a sweep that does not say which, by the kinds of its workloads.
std::vector<std::string> default_metrics(const std::vector<std::string>& kinds);

}  // namespace tcsim
