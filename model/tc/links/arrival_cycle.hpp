// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/local_time.hpp>

namespace tc::links {

/// clock_domain::arrival() of a sub-core's clock.
inline fabric::cycle_t arrival_cycle(const fabric::clock_domain& clock, const sc_core::sc_time& delay) { return clock.arrival(delay); }

/// The first cycle whose edge has not passed: the running one, or the next where a unit of somebody else's calls between edges.
inline fabric::cycle_t next_cycle(const fabric::clock_domain& clock) {
  const fabric::cycle_t cycle = clock.cycle();
  return clock.time_of(cycle) == fabric::local_time::now() ? cycle : cycle + 1;
}

}  // namespace tc::links
