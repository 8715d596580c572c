// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include "file_value.hpp"

namespace tcsim {

/// A point as constraints see it.
struct constrained_point {
  std::string_view workload;               ///< its name
  std::vector<boost::json::value> values;  ///< of the axes; null: the workload has no such parameter
};

/// Which of the points meet all constraints, by index. A constraint is an SQL expression of the axes and of `workload`; one that names an
/// axis that a point does not have does not concern that point. Throws config_error for what is no such expression, for a constraint that
/// no point meets, and if no point meets all.
std::vector<bool> meet_constraints(const std::vector<file_value>& constraints, std::string_view file_text,
                                   const std::vector<std::string>& axes, const std::vector<constrained_point>& points);

}  // namespace tcsim
