#pragma once

#include <systemc>

#include <tc/fabric/clock_domain.hpp>

namespace tc::subcore {

/// The cycle in which something arrives that is announced now with a delay; 0 is the running cycle. Unlike clock_domain::edge_at() it may
/// name an edge that is already running: for deliveries that a unit settles in the call itself.
inline fabric::cycle_t arrival_cycle(const fabric::clock_domain& clock, const sc_core::sc_time& delay) {
  if (delay == sc_core::SC_ZERO_TIME) return clock.cycle();
  const auto arrival = (sc_core::sc_time_stamp() + delay).value();
  return (arrival + clock.period().value() - 1) / clock.period().value();
}

/// The first cycle whose edge has not passed: the running one, or the next where a unit of somebody else's calls between edges.
inline fabric::cycle_t next_cycle(const fabric::clock_domain& clock) {
  const fabric::cycle_t cycle = clock.cycle();
  return clock.time_of(cycle) == sc_core::sc_time_stamp() ? cycle : cycle + 1;
}

}  // namespace tc::subcore
