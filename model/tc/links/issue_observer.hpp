// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/fabric/clocked.hpp>
#include <tc/links/stall_cause.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::links {

/// Who wants to know what a warp scheduler decides. Everything is told in its cycle or ahead of it. A state that was told ahead may be told
/// otherwise when its cycle comes.
class issue_observer {
 public:
  virtual ~issue_observer() = default;

  /// A warp takes its slot; it may issue from `first` on.
  virtual void launched(const warp::warp_context& warp, cycle_t first) = 0;
  /// It has exited, and nothing of it is in flight from this cycle on: its slot is free.
  virtual void drained(const warp::warp_context& warp, cycle_t cycle) = 0;

  /// A warp issues an instruction in the running cycle. Returns the id of its record, for warp_instruction::record.
  virtual std::uint64_t issued(const warp::warp_context& warp, const warp::warp_step& step, cycle_t cycle) = 0;
  /// The instruction of this record is over, its results are visible from this cycle on.
  virtual void retired(const warp::warp_context& warp, std::uint64_t record, cycle_t cycle) = 0;

  /// From this cycle on the warp waits for this cause with its next instruction, until it issues, or this is told again.
  virtual void waits(const warp::warp_context& warp, const warp::warp_step& next, stall_cause cause, cycle_t cycle) = 0;
  /// From this cycle on the issue slots are empty for this cause, until an instruction issues, or this is told again.
  virtual void slots_empty(stall_cause cause, cycle_t cycle) = 0;

  /// The instruction of this record holds a dependence counter of its warp from this cycle on.
  virtual void counter_held(const warp::warp_context& warp, unsigned counter, std::uint64_t record, cycle_t cycle) = 0;
  /// And no longer from this one on.
  virtual void counter_released(const warp::warp_context& warp, unsigned counter, std::uint64_t record, cycle_t cycle) = 0;
};

}  // namespace tc::links
