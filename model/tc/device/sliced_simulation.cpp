// SPDX-License-Identifier: Apache-2.0
#include "sliced_simulation.hpp"

#include <algorithm>
#include <utility>

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

sliced_simulation::sliced_simulation(fabric::clock_domain& clock, std::function<bool()> is_done)
    : clock_(clock), is_done_(std::move(is_done)) {
  all_.push_back(this);
}

sliced_simulation::~sliced_simulation() { all_.erase(std::find(all_.begin(), all_.end(), this)); }

/// What is due at the end is left for later: SystemC wakes its processes, and does not run them.
bool sliced_simulation::run_until(const sc_core::sc_time& end) {
  if (has_activity_before(end)) {
    set_lead(end);
    sc_core::sc_start(end - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
    moved_ = false;
  }
  return can_go_on();
}

bool sliced_simulation::is_over() {
  return std::all_of(all_.begin(), all_.end(), [](const sliced_simulation* each) { return each->is_done_(); });
}

void sliced_simulation::stop_if_over() {
  if (is_running_ && is_over()) sc_core::sc_pause();
}

/// When it is over, what is due at the same time still happens.
bool sliced_simulation::can_go_on() {
  if (!is_over()) return sc_core::sc_pending_activity();
  while (sc_core::sc_pending_activity_at_current_time()) sc_core::sc_start(sc_core::SC_ZERO_TIME);
  return false;
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
  is_running_ = true;
  run_slices(limit, pauses);
  is_running_ = false;
}

void sliced_simulation::run_slices(std::optional<cycle_t> limit, run_pauses* pauses) {
  while (const std::optional<cycle_t> next = pauses == nullptr ? std::nullopt : pauses->next()) {
    if (*next > limit.value_or(clock_.cycle_of(sc_core::sc_max_time()))) break;
    sc_assert(clock_.time_of(*next) > sc_core::sc_time_stamp());
    if (!advance_to(*next)) return;
    pauses->look(*next);
    if (pauses->stops()) return;
  }
  if (limit) {
    run_until(clock_.time_of(*limit));
  } else {
    set_lead(sc_core::sc_max_time());
    if (is_over()) return sc_core::sc_start(sc_core::SC_ZERO_TIME);
    sc_core::sc_start();
    moved_ = false;
    can_go_on();
  }
}

}  // namespace tc::device
