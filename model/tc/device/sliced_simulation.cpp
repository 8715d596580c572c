// SPDX-License-Identifier: Apache-2.0
#include "sliced_simulation.hpp"

#include <systemc>

namespace tc::device {

namespace {

/// Whether SystemC has something to do before a time, its own start included. If not, starting it would give a warning or, at that very
/// time, run what is due then.
bool has_activity_before(const sc_core::sc_time& end) {
  if (!sc_core::sc_start_of_simulation_invoked()) return true;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  return end > now && sc_core::sc_time_to_pending_activity() <= end - now;
}

}  // namespace

/// What is due at the end is left for later: SystemC wakes its processes, and does not run them.
bool sliced_simulation::run_until(const sc_core::sc_time& end) {
  if (has_activity_before(end)) {
    set_lead(end);
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
    moved_ = false;
  }
  return sc_core::sc_pending_activity();
}

/// The memories of a machine look at the time to know what has arrived: it is moved also if nothing happens until then.
bool sliced_simulation::advance_to(cycle_t cycle) {
  const sc_core::sc_time end = clock_.time_of(cycle);
  if (!run_until(end)) return false;
  if (sc_core::sc_time_stamp() < end) {
    if (!moved_) last_active_ = clock_.cycle();
    moved_ = true;
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_RUN_TO_TIME);
  }
  return true;
}

void sliced_simulation::run(std::optional<cycle_t> limit, run_pauses* pauses) {
  while (const std::optional<cycle_t> next = pauses == nullptr ? std::nullopt : pauses->next()) {
    if (*next > limit.value_or(clock_.cycle_of(sc_core::sc_max_time()))) break;
    sc_assert(clock_.time_of(*next) > sc_core::sc_time_stamp());
    if (!advance_to(*next)) return;
    pauses->look(*next);
  }
  if (limit) {
    run_until(clock_.time_of(*limit));
  } else {
    set_lead(sc_core::sc_max_time());
    sc_core::sc_start();
    moved_ = false;
  }
}

}  // namespace tc::device
