// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <boost/json.hpp>

namespace tcsim {

/// A parameter that two configurations have different values for.
struct parameter_difference {
  std::string path;          ///< as after --set
  boost::json::value base;   ///< null: the base has no such parameter
  boost::json::value value;  ///< null: only the base has it
};

/// All of them, in the order of the base, then what only the other one has. Lists of equal length are compared element by element, others
/// as a whole.
std::vector<parameter_difference> configuration_differences(const boost::json::value& base, const boost::json::value& configuration);

}  // namespace tcsim
