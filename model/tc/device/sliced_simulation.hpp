// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>

namespace tc::device {

/// Looks at a machine between cycles of its run, for instance at its counters or its memories. The run gives the same result with it as
/// without; what looks must not change anything.
class run_pauses {
 public:
  virtual ~run_pauses() = default;

  /// Before which cycle it wants to look next, later than any it has looked before and not before cycle 1; absent: never again. Asked when
  /// the run begins, and after each look.
  virtual std::optional<fabric::cycle_t> next() const = 0;
  /// The edges of all cycles before `cycle` have run, and none from it on. Not called for a cycle that the run does not reach.
  virtual void look(fabric::cycle_t cycle) = 0;
};

/// Runs SystemC with pauses between cycles.
class sliced_simulation {
 public:
  using cycle_t = fabric::cycle_t;

  explicit sliced_simulation(fabric::clock_domain& clock) : clock_(clock) {}

  /// From now on the clock may run ahead of SystemC up to where a run stops or pauses (clock_domain::run_ahead_until()).
  void allow_running_ahead() { runs_ahead_ = true; }

  /// Runs until nothing is going to happen any more, or until all cycles before `limit` have run. `pauses` may be null.
  void run(std::optional<cycle_t> limit, run_pauses* pauses);

  /// The running cycle or, when time was moved to a pause without anything happening in between, the one in which something last happened:
  /// where a run without pauses stands.
  cycle_t cycle() const { return moved_ ? last_active_ : clock_.cycle(); }

 private:
  bool advance_to(cycle_t cycle);
  bool run_until(const sc_core::sc_time& end);
  void set_lead(const sc_core::sc_time& end) { clock_.run_ahead_until(runs_ahead_ ? clock_.cycle_of(end) : 0); }

  fabric::clock_domain& clock_;
  bool runs_ahead_ = false;
  bool moved_ = false;  // time, to a pause
  cycle_t last_active_ = 0;
};

}  // namespace tc::device
