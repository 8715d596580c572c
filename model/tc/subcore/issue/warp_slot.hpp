// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include <tc/isa/control_code.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/links/cycle_account.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/result_source.hpp>
#include <tc/links/stall_cause.hpp>
#include <tc/subcore/issue/scoreboard.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// One dependence counter (SB0 to SB5) of a warp: zero when every instruction that named it has released it.
/// An instruction increments its counters in the cycle after its issue (Huerta et al., arXiv 2503.20481, section 5.1.1), so that an
/// instruction which issues in that cycle still finds them as they were: compiled code leaves two cycles from the one to the other.
struct dependence_counter {
  static constexpr cycle_t seen_after = 2;  ///< cycles from an issue to the first instruction that sees its increment

  unsigned open = 0;           ///< instructions that release it at a time not known yet
  cycle_t zero_from = 0;       ///< when the others have released it
  cycle_t seen_from = 0;       ///< the first cycle that sees the last increment
  cycle_t zero_before_it = 0;  ///< when it is zero without that
  /// By source of their results: ids of the last instructions that named it.
  std::array<std::uint64_t, links::result_sources> named_by{};
  links::result_source source = links::result_source::arithmetic;  ///< of the last instruction that named it

  cycle_t zero_cycle() const { return open > 0 ? links::unknown_cycle : zero_from; }
  /// The same as an instruction sees it that would issue in the cycle `now`.
  cycle_t zero_cycle(cycle_t now) const { return now < seen_from ? zero_before_it : zero_cycle(); }
  /// An instruction that issues in this cycle has named it.
  void increment(cycle_t issue) {
    if (seen_from == issue + seen_after) return;
    zero_before_it = zero_cycle();
    seen_from = issue + seen_after;
  }
  void release_at(cycle_t cycle) { zero_from = std::max(zero_from, cycle); }
  /// When at most `count` instructions have named it and not released it. Above zero it is for those that release it in their order, at
  /// times that are known when they do: groups of copies (LDGDEPBAR).
  cycle_t low_cycle(unsigned count) const {
    if (open > count) return links::unknown_cycle;
    return open == count ? zero_from : 0;
  }
};

/// BAR as a warp sees it.
struct barrier_state {
  bool waiting = false;
  bool deferred = false;  ///< .DEFER_BLOCKING: only instructions of queued units wait
  cycle_t opens = links::unknown_cycle;
};

/// The scheduler's view of one warp slot. What it looks at while the warp waits stands together in front.
struct warp_slot {
  const warp::warp_context* warp = nullptr;  ///< null: the slot is free
  bool exited = false;                       ///< issued its last instruction
  bool ends_here = false;                    ///< `next` ends in the scheduler
  bool yielded = false;                      ///< the last instruction's yield bit: other warps go first

  // What the scheduler found out about the next instruction, which stays so until it issues.
  bool control_passed = false;     ///< its control code, barriers and holders let it go
  bool registers_settled = false;  ///< as far as the scoreboard knows
  std::uint32_t kind = 0;          ///< issue_forecast::kind
  cycle_t passed_with_lost = 0;    ///< cycles that the stages behind issue had stood still by then: with more, the stall count is longer

  links::stall_cause cause = links::stall_cause::none;                  ///< what the warp waits for since `accounted`
  links::result_source awaited = links::result_source::arithmetic;      ///< of the result, if it waits for one
  links::result_source last_source = links::result_source::arithmetic;  ///< of the last instruction that issued
  cycle_t accounted = 0;

  cycle_t waits_since = 0;                          ///< the next instruction waits for nothing but units, registers and other warps
  cycle_t stalled_until = 0;                        ///< by the stall count of the last instruction
  cycle_t by_stall_counts = 0;                      ///< cycles from its first instruction to the next, by stall counts alone
  cycle_t lost_before = 0;                          ///< cycles the stages behind issue had stood still by then
  cycle_t fetched = 0;                              ///< when `next` is in the instruction buffer
  const links::warp_instruction* holder = nullptr;  ///< an instruction that has not come back (issue_role::holds_warp)
  barrier_state barrier{};
  std::array<dependence_counter, isa::control_code::barriers> counters{};
  cycle_t counters_seen = 0;  ///< the first cycle that sees what the last instruction did to them
  scoreboard::counter_waits waited_for{};
  links::warp_accounting accounting{};

  std::uint64_t launch_order = 0;
  cycle_t exit_cycle = 0;
  unsigned in_flight = 0;
  cycle_t drained = 0;      ///< when the last result of an exited warp is visible
  warp::warp_step next{};   ///< the instruction buffer: what issues next
  std::uint32_t lanes = 0;  ///< of a warp that is executed: those that go on together

  bool can_issue() const { return warp != nullptr && !exited; }
};

inline bool arrives_at_barrier(const isa::instruction& code) { return isa::role_of(code.op) == isa::issue_role::arrives_at_barrier; }

/// What the warp of a slot that has not exited waits for, for people; empty for a free slot.
std::string describe(const warp_slot& slot);

/// Whose result the wait mask of the next instruction waits for longest.
links::result_source source_of_wait_mask(const warp_slot& slot, cycle_t now);

/// The next instruction issues in a cycle: its stall count and yield bit hold the one behind it.
void stall(warp_slot& slot, cycle_t issue);

/// The next instruction issues in a cycle: which instructions, of those with ids up to `issued`, it has waited for by its dependence
/// counters.
void note_waits(warp_slot& slot, cycle_t issue, std::uint64_t issued);

/// When the control code of a warp's next instruction, barriers, and an instruction that holds the warp let it go, and for which of them it
/// waits longest. `stages`: those behind issue, in the cycle `now`.
links::availability wait_for_control(const warp_slot& slot, const links::standstill& stages, cycle_t now);

}  // namespace tc::subcore
