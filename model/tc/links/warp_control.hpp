// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/isa/barrier_arrival.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::links {

/// Where a warp's instructions come from. The sub-core asks for the next one when its instruction buffer has room.
///
/// A warp may be executed while it runs (warp_context::is_executed). Then pc and code of its next instruction are known when the one before
/// has issued, the lanes and their addresses when it issues itself, and what it loads when memory performs the access.
class instruction_stream : public virtual sc_core::sc_interface {
 public:
  /// Fills in the next instruction of the warp in a slot; false at its end.
  virtual bool next(std::uint32_t slot, warp::warp_step& step) = 0;

  /// The instruction that next() gave last of a warp that is executed issues: fills in the rest of the step.
  virtual void issues(std::uint32_t /*slot*/, warp::warp_step& /*step*/, fabric::cycle_t /*cycle*/) {}
  /// Memory performs an access of such a warp: warp_step::access. Called in the order in which memory does; for a copy to shared memory
  /// twice, when it is read and when its bytes arrive.
  virtual void performed(std::uint32_t /*slot*/, std::uint32_t /*access*/) {}
};

/// What an SM asks of a sub-core's scheduler.
class warp_control : public virtual sc_core::sc_interface {
 public:
  /// Starts a warp in a free slot; it may issue from `first` on, a cycle still to come. The context stays valid until the warp has drained.
  virtual void launch(const warp::warp_context& warp, fabric::cycle_t first) = 0;

  /// The barrier that the warp waits at opens; it may go on from `cycle` on, a cycle still to come.
  virtual void open_barrier(std::uint32_t slot, fabric::cycle_t cycle) = 0;

  /// Ends all warps where they are: none issues any more, each has exited. Not while the scheduler looks for a warp to issue.
  virtual void end_warps() = 0;
};

/// What a sub-core's scheduler tells its SM.
class warp_supervisor : public virtual sc_core::sc_interface {
 public:
  /// A warp arrived at a barrier of its CTA.
  virtual void barrier_arrival(const warp::warp_context& warp, const isa::barrier_arrival& arrival, fabric::cycle_t cycle) = 0;

  /// A warp issued its last instruction.
  virtual void warp_exited(const warp::warp_context& warp, fabric::cycle_t cycle) = 0;

  /// Nothing of a warp that exited is in flight any more, from `cycle` on; its slot is free.
  virtual void warp_drained(const warp::warp_context& warp, fabric::cycle_t cycle) = 0;
};

}  // namespace tc::links
