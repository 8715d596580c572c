// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/fabric/clocked.hpp>

namespace tc::accounting {

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
