// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace tc::fabric {

/// Number of a clock edge; cycle 0 is the edge at time 0.
using cycle_t = sc_dt::uint64;

/// From a module to the next one: what is sent in one cycle arrives in the next.
inline constexpr cycle_t send_cycles = 1;

/// A unit that works on the edges of a clock_domain.
///
/// The order of an edge: its units evaluate stage by stage; what one of them sends takes effect at once, so that later stages see it in
/// this edge and all others in the next; and within a stage the order does not matter, because a unit that two of them call settles by
/// their numbers, and not by their calls, which comes first.
///
/// Deriving classes are final; the domain does not own them.
class clocked {
 public:
  /// Does what is due in this cycle: calls sockets, and asks the domain for wake-ups in later cycles.
  virtual void evaluate(cycle_t cycle) = 0;

 protected:
  ~clocked() = default;
};

}  // namespace tc::fabric
