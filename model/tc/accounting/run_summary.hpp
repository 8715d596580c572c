// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tc/accounting/energy_account.hpp>
#include <tc/accounting/run_limits.hpp>
#include <tc/accounting/run_result.hpp>
#include <tc/accounting/unit_use.hpp>
#include <tc/config/machine.hpp>

namespace tc::accounting {

/// Where the issue slots of the sub-cores that issued anything went: one slot for each cycle of the run and scheduler.
struct issue_slot_use {
  unsigned schedulers = 0;
  stall_cycles slots{};  ///< by what became of them
};

/// Collects it from the statistics of the object tree, for a run of so many cycles.
issue_slot_use issue_slots_of(cycle_t cycles);

/// What to tell people about a run in a few numbers.
struct run_summary {
  /// A share of cycles that are all accounted for.
  struct cycle_share {
    links::stall_cause cause = links::stall_cause::none;  ///< `none`: issued
    std::uint64_t cycles = 0;
    double percent = 0;
  };

  unsigned sub_cores_used = 0;    ///< that issued at least one instruction
  unsigned tensor_sub_cores = 0;  ///< whose tensor cores could have worked: those used, and all of an SM whose tensor engine multiplied
  std::uint64_t tensor_busy_cycles = 0;  ///< over the tensor cores of all sub-cores
  double tensor_utilisation = 0;         ///< of these over the cycles of those that could have worked; 0 to 1
  double instructions_per_cycle = 0;
  double time_us = 0;  ///< of the machine, by its clock
  // Issued first, then stalls, the largest first; none that is zero.
  std::vector<cycle_share> warp_cycles{};  ///< all cycles of all warps, from launch to exit
  std::vector<cycle_share> issue_slots{};  ///< all cycles of the schedulers of the sub-cores used: an instruction issues, or none does
  std::vector<unit_kind_use> units{};      ///< busiest first
  std::vector<run_limit> limits{};         ///< what limits the run most first
  std::optional<energy_account> energy{};  ///< if the configuration has the energy of events
};

/// Collects what it needs from the statistics of the object tree: call it while the machine exists.
run_summary summarize(const run_result& result, const config::machine& machine);

/// Cycles as simulated time in microseconds.
double time_us(cycle_t cycles, const config::machine& machine);

}  // namespace tc::accounting
