// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/links/tensor_core_turns.hpp>

namespace tc::engine {

using fabric::cycle_t;

/// Of the matrix instructions of warps that warpgroups hold back.
struct turn_of_warps {
  cycle_t wait_cycles = 0;  ///< after which one goes before a warpgroup's
  cycle_t turn_cycles = 0;  ///< that the tensor cores are not the warpgroup's then
};

/// The cycles that products of all tensor cores of an SM get beside the matrix instructions of warps (mma.sync), which use the same tensor
/// cores. This is where it is decided which goes first:
///
///   the one that takes its cycles first. An instruction of a warp does so as it issues. One for all tensor cores takes its cycles as a
///   whole: a warpgroup's ahead of time, when its operands begin to be there. As long as warpgroups have any, instructions of warps wait,
///   but one that has waited long goes before the next one of a warpgroup. That of a tensor engine takes them when the tensor cores are
///   free, and while it waits for that, no warp goes before it.
class core_turns {
 public:
  core_turns(const char* name, unsigned sub_cores, const turn_of_warps& of_warps = {}) : of_warps_(of_warps), cores_(name, sub_cores) {}

  /// By sub-core.
  sc_core::sc_port<links::tensor_core_turns>& operator[](unsigned sub_core) { return cores_[sub_core]; }

  /// When products that could begin in the cycle `wanted` have their turn, in all tensor cores at once. It must be taken.
  cycle_t next(cycle_t wanted);
  /// When some that have had it, and were not ready then, find the tensor cores free.
  cycle_t free_from(cycle_t wanted) const;
  /// Products that could begin wait for what warps have taken. Until cycles are taken for them, no more is.
  void ask_for_turn();

  void take(cycle_t begin, cycle_t end);

  /// A warpgroup has instructions whose operands are not all there, so that the tensor cores wait for it and not for warps.
  void give_precedence(bool to_warpgroups);

 private:
  const turn_of_warps of_warps_;
  sc_core::sc_vector<sc_core::sc_port<links::tensor_core_turns>> cores_;
};

}  // namespace tc::engine
