// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include <systemc>
#include <tlm>
#include <tlm_utils/passthrough_target_socket.h>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/protocols.hpp>
#include <tc/fabric/transfer_sockets.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/links/operand_timing.hpp>
#include <tc/links/stall_cause.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::links {

using fabric::cycle_t;

/// Second phase of a dispatch: the operand values are in the payload.
DECLARE_EXTENDED_PHASE(OPERANDS_READY);

/// Links that hand a warp instruction from one unit of the sub-core to the next; nb_transport_fw only. Time is in the payload, in cycles;
/// the annotated delay is zero. Four kinds of link use it:
///
///   issue      scheduler -> operand fetch. BEGIN_REQ, answered TLM_COMPLETED: taken, because the scheduler asked dispatch_status before.
///              On return `dispatch`, `operands_read` and, for fixed latency, `result` are set.
///   dispatch   operand fetch -> execution unit. BEGIN_REQ at issue time: the operands are going to arrive in the cycle `dispatch`. The
///   unit
///              reserves its pipeline and sets the times it knows. Later OPERANDS_READY, in the cycle `dispatch`: the unit computes. It
///              copies the operands that it needs after the call (warp_instruction::keep_operands()).
///   result     execution unit -> write-back. BEGIN_REQ: the result is to be visible from the cycle `result` on.
///   retire     write-back -> scheduler. BEGIN_REQ: the result is visible from the cycle `result` on. The payload goes back to the
///   scheduler.
///
/// A unit that has the payload may keep a pointer to it until it hands the payload on.
struct instruction_protocol : fabric::dataflow_protocol<warp_instruction> {};

template <class Module>
using instruction_initiator = fabric::transfer_initiator<Module, instruction_protocol>;
template <class Module>
using instruction_target = tlm_utils::passthrough_target_socket_optional<Module, fabric::base_link_width_bits, instruction_protocol>;

/// Hands an instruction on over one of these links.
template <class Initiator>
void hand_on(Initiator& link, warp_instruction& instruction, tlm::tlm_phase phase = tlm::BEGIN_REQ) {
  link.send(instruction, phase);
}

/// A cycle that is not known yet.
inline constexpr cycle_t unknown_cycle = ~cycle_t{0};

/// When an instruction could go on, and what keeps it until then. `unknown_cycle`: when something retires, ask again.
struct availability {
  cycle_t cycle = 0;                      ///< first cycle at which it could be taken
  stall_cause cause = stall_cause::none;  ///< what it waits for if that is later than asked
  bool is_for_now = false;                ///< who asks later gets another answer, even if nothing was sent
};

/// Of two things that an instruction waits for, the one that comes last. More of the other would not let it go earlier, so that the whole
/// wait is charged to this one; if they come together, to the second.
inline availability later_of(const availability& first, const availability& second) { return first.cycle > second.cycle ? first : second; }

/// When an instruction could issue, and what keeps it until then.
struct issue_forecast {
  issue_forecast() = default;
  issue_forecast(const availability& what, std::uint32_t of_kind = 0) : awaited(what), kind(of_kind) {}

  /// What keeps it from `now` on, which is not before the forecast was made.
  availability at(cycle_t now) const { return awaited.cycle > now ? awaited : availability{now, stall_cause::none}; }

  availability awaited{};
  /// Instructions of the same kind wait for the same, and the forecast holds until one issues. 0: this one is of no kind, and its forecast
  /// is for now.
  std::uint32_t kind = 0;
};

/// The status wires from an execution unit: whether its input would take an instruction.
class dispatch_status : public virtual sc_core::sc_interface {
 public:
  /// The first cycle, not before `dispatch`, in which operands of such an instruction could arrive. Exact for the state of now: an
  /// instruction sent then is taken. Of a matrix instruction only the operation matters, and the answer stays until one is sent, or the
  /// unit has told issue_wakeup::answers_changed().
  virtual availability earliest_dispatch(const isa::instruction& code, cycle_t dispatch) const = 0;

  /// Why an instruction may not issue yet, if the unit has no place for one more of the warp: `on_the_way` such ones have issued and not
  /// been sent to the unit. Units that keep instructions until other warps have issued theirs grant places before issue, and to each warp
  /// its own: who waited for a place behind issue would be in the way of those that the others wait for.
  virtual stall_cause missing_place(const isa::instruction& /*code*/, const warp::warp_context& /*warp*/, unsigned /*on_the_way*/) const {
    return stall_cause::none;
  }
};

/// Whether the stages behind issue stand still.
struct standstill {
  bool now = false;         ///< nothing may issue in the cycle asked for
  cycle_t lost_cycles = 0;  ///< cycles so far in which they stood still: stall counts did not run
};

/// The status wires from the operand fetch to the scheduler.
class issue_status : public virtual sc_core::sc_interface {
 public:
  /// Asked in each cycle in which an instruction may issue, and before any is asked about.
  virtual standstill standstill_at(cycle_t cycle) = 0;

  /// The first cycle, not before `issue`, in which the instruction could leave the scheduler.
  virtual issue_forecast earliest_issue(const isa::instruction& code, const warp::warp_context& warp, cycle_t issue) = 0;

  /// A new warp starts in a slot: nothing that the last one kept there is its own.
  virtual void warp_launched(const warp::warp_context& warp) = 0;

  /// When operands are read. Asked once, at the end of elaboration.
  virtual operand_timing timing() const = 0;
};

/// The status wire from the operand fetch to the scheduler: something it waits for without a known time has become free.
class issue_wakeup : public virtual sc_core::sc_interface {
 public:
  /// A question that was answered `unknown_cycle`, or with a later cycle, may have a better answer in this cycle.
  virtual void ask_again(cycle_t cycle) = 0;

  /// Answers of a unit have become later, though nothing was sent to it. Those that are kept hold no longer.
  virtual void answers_changed() {}
};

}  // namespace tc::links
