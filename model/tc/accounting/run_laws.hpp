// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>

namespace tc::accounting {

/// A law that a run has broken: the model contradicts itself, and none of its numbers can be relied on.
struct broken_law {
  std::string law, unit;        ///< a sentence, and the path of the object or part of the machine
  double found = 0, bound = 0;  ///< the two sides
  bool is_equation = false;     ///< the sides must be the same; else the first must not be larger

  /// "the tensor cores of a sub-core multiply one instruction at a time: gpu.sm_0.sub_core_0 has 64768, and 55519 is the most there can be"
  std::string text() const;
};

/// A machine after some cycles.
struct simulated_machine {
  const config::machine& machine;
  std::string path;  ///< of its GPU in the object tree
  cycle_t cycles = 0;
  bool is_complete = true;  ///< nothing is in flight
};

/// What the statistics of the object tree say that is not true of any machine.
/// Beside the laws of law.hpp: no unit is busy for longer than the run, the tensor cores form no more products than their dot-product units
/// can, each cycle of a warp is an instruction or a stall, and energy is the same by event and by unit.
std::vector<broken_law> broken_laws(const simulated_machine& simulated);
/// The same of the warps of a run.
std::vector<broken_law> broken_laws_of_warps(const run_result& result);

}  // namespace tc::accounting
