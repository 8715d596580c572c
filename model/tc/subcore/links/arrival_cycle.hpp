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

}  // namespace tc::subcore
