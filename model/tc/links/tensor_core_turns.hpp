// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <tc/fabric/clocked.hpp>

namespace tc::links {

using fabric::cycle_t;

/// The status wires from the units of an SM that multiply in all its tensor cores at once to those of one sub-core. Matrix instructions of
/// warps take cycles of these too, and no cycle belongs to two.
class tensor_core_turns : public virtual sc_core::sc_interface {
 public:
  /// The first cycle behind all that are taken.
  virtual cycle_t free_from() const = 0;

  /// Cycles of the dot-product units that a matrix instruction of a warp needs which what others took has held back for so long, since this
  /// was answered last; 0: there is none.
  virtual cycle_t let_waiting_pass(cycle_t waited_cycles) = 0;

  /// While others have precedence, instructions of warps take no cycles but those that let_waiting_pass() gives one of them.
  virtual void give_precedence(bool to_others) = 0;

  /// No more instructions of warps take cycles until take().
  virtual void hold_back_warps() = 0;

  /// The dot-product units are taken from `begin`, which is not before free_from(), to before `end`.
  virtual void take(cycle_t begin, cycle_t end) = 0;
};

}  // namespace tc::links
