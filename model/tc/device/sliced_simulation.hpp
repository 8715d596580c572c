// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <vector>

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
  /// Whether the run ends here, before its end. Asked after each look.
  virtual bool stops() const { return false; }
};

/// Runs SystemC with pauses between cycles, until all machines that run in it have done what they have to; whatever else there is in the
/// simulation may go on for ever.
class sliced_simulation {
 public:
  using cycle_t = fabric::cycle_t;

  /// `is_done`: the machine has ended, or will never. Who changes that calls stop_if_over().
  sliced_simulation(fabric::clock_domain& clock, std::function<bool()> is_done);
  ~sliced_simulation();
  sliced_simulation(const sliced_simulation&) = delete;
  sliced_simulation& operator=(const sliced_simulation&) = delete;

  /// Ends a run after the delta cycle, if it is over. Called from a process.
  static void stop_if_over();

  /// From now on the clock may run ahead of SystemC up to where a run stops or pauses (clock_domain::run_ahead_until()).
  void allow_running_ahead() { runs_ahead_ = true; }

  /// Runs until it is over, until nothing is going to happen any more, or until all cycles before `limit` have run. `pauses` may be null.
  void run(std::optional<cycle_t> limit, run_pauses* pauses);

  /// The running cycle or, when time was moved to a pause without anything happening in between, the one in which something last happened:
  /// where a run without pauses stands.
  cycle_t cycle() const { return moved_ ? last_active_ : clock_.cycle(); }

 private:
  bool advance_to(cycle_t cycle);
  bool run_until(const sc_core::sc_time& end);
  void set_lead(const sc_core::sc_time& end) { clock_.run_ahead_until(runs_ahead_ ? clock_.cycle_of(end) : 0); }
  static bool is_over();
  static bool can_go_on();
  void run_slices(std::optional<cycle_t> limit, run_pauses* pauses);

  fabric::clock_domain& clock_;
  const std::function<bool()> is_done_;
  static inline std::vector<const sliced_simulation*> all_;
  static inline bool is_running_ = false;  // one of them
  bool runs_ahead_ = false;
  bool moved_ = false;  // time, to a pause
  cycle_t last_active_ = 0;
};

}  // namespace tc::device
