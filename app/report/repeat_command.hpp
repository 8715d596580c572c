// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include <boost/json.hpp>

#include "sweep_plan.hpp"

namespace tcsim {

/// What to write on a command line to do single runs of a sweep by hand.
class repeat_command {
 public:
  /// The workload's own subcommand, the base configuration, --set for each parameter that differs from it, and the same of the machine that
  /// fixed code is made for, quoted for a shell. Empty if the base is neither built in nor a file that can be read from the current folder.
  std::string of(const planned_run& run, const std::string& base);

 private:
  /// Null if it cannot be read.
  const boost::json::value& configuration(const std::string& base);

  std::map<std::string, boost::json::value> bases_;
};

}  // namespace tcsim
