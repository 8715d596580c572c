// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/fabric/clocked.hpp>

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

/// What a run cost: what the units counted, times the configuration's energy of each event. Each sum is the total.
struct energy_account {
  struct share {
    std::string name;
    double nanojoules = 0;
  };

  double total_nanojoules = 0;
  std::vector<share> events;  ///< every member of config::energy_parameters, in its order
  std::vector<share> units;   ///< objects that cost anything, by path, in the order of the object tree
};

/// Collects the account of a run of so many cycles from the statistics of the object tree: call it while the machine exists. Its
/// configuration must have `energy`.
energy_account account_energy(const config::machine& machine, fabric::cycle_t cycles);

}  // namespace tc::accounting
