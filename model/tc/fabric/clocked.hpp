// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace tc::fabric {

/// Number of a clock edge; cycle 0 is the edge at time 0.
using cycle_t = sc_dt::uint64;

/// From a module to the next one: what is sent in one cycle arrives in the next.
inline constexpr cycle_t send_cycles = 1;

/// A unit that works on the edges of a clock_domain, in two phases. All units of an edge evaluate before any of them commits, so their
/// order never matters: evaluate() reads only what earlier edges committed, and a delivery made by a socket call during evaluate() is
/// first read one cycle later. Deriving classes are final; the domain does not own them.
class clocked {
 public:
  /// Reads committed state, calls sockets, asks the domain for further wake-ups.
  virtual void evaluate(cycle_t cycle) = 0;

  /// Makes the state computed by evaluate() visible; may wake units, calls no sockets.
  virtual void commit(cycle_t cycle) = 0;

 protected:
  ~clocked() = default;
};

}  // namespace tc::fabric
