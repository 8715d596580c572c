// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <tensor_programs/random_numbers.hpp>
#include <vector>

#include <boost/json.hpp>

namespace tcsim::random_programs {

/// A machine's parameters, to draw others from.
boost::json::value parameters_of(const std::string& configuration);

/// Assignments, as after `--set`, of some of the parameters that decide about time: latencies, depths, ports, widths, numbers of units,
/// caches. Registers wait for each other (issue.hazards=interlock), and there are from one to four SMs. The configuration with them is
/// legal. What is computed, and what a kernel needs to run at all (capacities, kinds of units), stays as it is.
std::vector<std::string> random_assignments(const std::string& configuration, const boost::json::value& parameters,
                                            tc::tensor_programs::random_numbers& random);

}  // namespace tcsim::random_programs
