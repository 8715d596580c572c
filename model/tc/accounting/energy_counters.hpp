// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

namespace tc::accounting {

/// A statistic that counts an event of config::energy_parameters. None of them depends on whether values are computed, so that a run
/// without data costs the same.
struct energy_counter {
  std::string_view event;      ///< member of config::energy_parameters
  std::string_view object;     ///< how the paths of its objects end; see ends_in()
  std::string_view statistic;  ///< its name; empty: a cycle of the run, for each object
};

/// All of them, by event, in the order of the configuration.
const std::vector<energy_counter>& energy_counters();

}  // namespace tc::accounting
