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

/// Who reads registers. It may have retired by the time its reads are told.
struct register_reader {
  std::uint64_t record = 0;  ///< id of the instruction's record
  unsigned warp_slot = 0;
};

/// Registers of one operand in one bank.
struct register_run {
  unsigned bank = 0;
  unsigned first = 0;      ///< number of the first register; the others follow in steps of the number of banks
  unsigned registers = 1;  ///< of 32 lanes
};

/// Who wants to know what an operand fetch decides. Everything is told in its cycle or ahead of it.
class operand_observer {
 public:
  virtual ~operand_observer() = default;

  /// Before anything else, from an operand fetch that books ports and tells of them: its transactions with the banks say nothing about
  /// time.
  virtual void ports_are_booked() = 0;

  /// The read port of a bank is given to an instruction from `begin` to before `end`.
  virtual void port_granted(const register_reader& reader, const register_run& read, cycle_t begin, cycle_t end) = 0;
  /// In this cycle an instruction finds no port of a bank for a register.
  virtual void port_missed(const register_reader& reader, unsigned bank, cycle_t cycle) = 0;
  /// In this cycle the stages behind issue stand still, because this instruction has not all that it needs.
  virtual void stands_still(const register_reader& reader, cycle_t cycle) = 0;

  /// An instruction that issues in the running cycle takes so many registers from the reuse cache.
  virtual void reused(const warp_instruction& instruction, unsigned registers) = 0;
};

/// Who wants to know what a load-store unit does with its instructions. Everything is told in its cycle or ahead of it.
class load_store_observer {
 public:
  virtual ~load_store_observer() = default;

  /// An instruction has a place in the unit's queue from this cycle on.
  virtual void queued(const warp_instruction& instruction, cycle_t cycle) = 0;
  /// And no longer from this one on.
  virtual void left(const warp_instruction& instruction, cycle_t cycle) = 0;

  /// The access of an instruction reaches the banks of shared memory in this cycle, in so many wavefronts; `conflicts` of them are needed
  /// only because several words lie in one bank.
  virtual void shared_access_begins(const warp_instruction& instruction, unsigned wavefronts, unsigned conflicts, cycle_t cycle) = 0;
  /// Its last wavefront has been answered.
  virtual void shared_access_ends(const warp_instruction& instruction, cycle_t cycle) = 0;
};

}  // namespace tc::links
