// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/fabric/clocked.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::links {

/// Who wants to know what a load-store unit does with its instructions. Everything is told in its cycle or ahead of it.
class load_store_observer {
 public:
  virtual ~load_store_observer() = default;

  /// An instruction has a place in the unit's queue from this cycle on.
  virtual void queued(const warp_instruction& instruction, cycle_t cycle) = 0;
  /// And no longer from this one on.
  virtual void left(const warp_instruction& instruction, cycle_t cycle) = 0;

  /// The access of an instruction reaches the banks of shared memory in this cycle, in so many wavefronts; `conflicts` of them are needed
  /// only because several words lie in one bank.
  virtual void shared_access_begins(const warp_instruction& instruction, unsigned wavefronts, unsigned conflicts, cycle_t cycle) = 0;
  /// Its last wavefront has been answered.
  virtual void shared_access_ends(const warp_instruction& instruction, cycle_t cycle) = 0;
};

}  // namespace tc::links
