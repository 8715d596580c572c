// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <tc/execution/barrier_numbers.hpp>
#include <tc/execution/cta_state.hpp>
#include <tc/execution/instruction_text.hpp>
#include <tc/execution/steps.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/listings/symbol_expression.hpp>
#include <tc/trace/step.hpp>

namespace tc::execution {

namespace {

using isa::register_file;

unsigned lowest_lane(std::uint32_t mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

/// Those of the lanes in which all predicates among the sources hold.
std::uint32_t holding_lanes(const warp_state& warp, const operation& op, std::uint32_t mask) {
  for (unsigned s = 0; s < op.code->source_count; ++s)
    if (op.code->sources[s].is_predicate()) mask &= warp.predicate(op, s);
  return mask;
}

void take_branch(warp_state& warp, std::uint32_t taken, std::uint32_t target) {
  if (taken == 0) return;
  if (taken == warp.active()) return warp.jump(target);
  ++warp.counts().divergent_branches;
  warp.diverge(taken, target);
}

/// The register operand of a computed branch.
unsigned register_source(const warp_state& warp, const operation& op) {
  for (unsigned s = 0; s < op.code->source_count; ++s) {
    const isa::operand& source = op.code->sources[s];
    if (source.is_register(register_file::vector) || source.is_register(register_file::uniform) ||
        source.what == isa::operand::kind::constant)
      return s;
  }
  warp.fail(op, "the branch names no register");
}

/// The convergence barrier that an operand names.
unsigned barrier_of(const warp_state& warp, const operation& op) {
  const isa::instruction& code = *op.code;
  for (unsigned d = 0; d < code.destination_count; ++d)
    if (code.destinations[d].file == register_file::barrier) return code.destinations[d].index % warp_state::convergence_barriers;
  for (unsigned s = 0; s < code.source_count; ++s)
    if (code.sources[s].is_register(register_file::barrier)) return code.sources[s].index % warp_state::convergence_barriers;
  warp.fail(op, "the instruction names no convergence barrier");
}

/// A text in global memory, up to its zero.
std::string text_at(const warp_state& warp, unsigned first_register, unsigned lane) {
  constexpr unsigned longest = 200;
  const auto& registers = warp.registers().vector;
  if (first_register + 1 >= registers.size()) return {};
  const std::uint64_t address = std::uint64_t{registers[first_register + 1][lane]} << 32U | registers[first_register][lane];
  std::string text;
  for (unsigned i = 0; i < longest; ++i) {
    const std::uint8_t* const byte = warp.cta().setting().memory.read(address + i, 1);
    if (byte == nullptr || *byte == 0) break;
    text += static_cast<char>(*byte);
  }
  return text;
}

/// A function of the system that the code calls. The parameters of __assertfail(message, file, line, ...) are in registers from R4 on.
std::string called_text(const warp_state& warp, const std::string& function, unsigned lane) {
  if (function != "__assertfail") return fmt::format("it calls {}, which is not executed", function);
  constexpr unsigned message = 4, file = 6, line = 8;
  const auto& registers = warp.registers().vector;
  return fmt::format("the assertion '{}' failed: {}:{}", text_at(warp, message, lane), text_at(warp, file, lane),
                     line < registers.size() ? registers[line][lane] : 0);
}

}  // namespace

void steps::branch(warp_state& warp, const operation& op, std::uint32_t mask) {
  take_branch(warp, holding_lanes(warp, op, mask), op.target);
}

/// BRA.U.ANY: all lanes go where one of them goes.
void steps::branch_together(warp_state& warp, const operation& op, std::uint32_t) { take_branch(warp, warp.active(), op.target); }

/// BRA.DIV: where the warp is not all together, code that does the same lane by lane is taken. Lanes whose guard is false, as R2UR gives it
/// where they name other companions, are not together with the others.
void steps::branch_if_divergent(warp_state& warp, const operation& op, std::uint32_t mask) {
  if (mask != warp.live()) take_branch(warp, warp.active(), op.target);
}

namespace {

/// Where a value sends a lane that is relative to what the instruction names. It counts from the begin of its function. Where a listing
/// writes it as a label, as in a table of branches, it has become the label's address.
std::uint64_t relative_target(const warp_state& warp, const operation& op, std::uint32_t value) {
  const std::uint64_t code_bytes = warp.code().operations().size() * trace::instruction_bytes;
  const std::uint32_t in_code = value - static_cast<std::uint32_t>(warp.cta().setting().code_address);
  if (value >= code_bytes && in_code < code_bytes) value = in_code - warp.code().kernel().begin_of(in_code);
  return std::uint32_t{value + op.target};
}

}  // namespace

/// Each lane goes where its register says: RET and BRX relative to what the instruction names, CALL and JMP to an address.
void steps::branch_to_register(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  mask = holding_lanes(warp, op, mask);
  if (mask == 0) return;
  const unsigned s = register_source(warp, op);
  warp::lane_vector low, high;
  const lanes::lane_source source = warp.source(op, s, low, high);
  if (source.low == nullptr) warp.fail(op, "the launch does not say where this goes");
  const bool is_absolute = op.target == operation::no_target || has_suffix(code, "ABS");
  const warp::lane_vector to = *source.low, upper = source.high != nullptr ? *source.high : warp::lane_vector{};
  const std::uint64_t base = is_absolute ? 0 - warp.cta().setting().code_address : 0;
  const std::uint32_t added = op.target == operation::no_target ? 0 : op.target;
  for (std::uint32_t rest = mask; rest != 0;) {
    const unsigned lane = lowest_lane(rest);
    std::uint32_t same = 0;
    for (unsigned other = lane; other < warp::lanes_per_warp; ++other)
      if (to[other] == to[lane] && upper[other] == upper[lane]) same |= 1U << other;
    same &= rest;
    rest &= ~same;
    const std::uint64_t address =
        is_absolute ? (std::uint64_t{upper[lane]} << 32U | to[lane]) + base + added : relative_target(warp, op, to[lane]);
    if (const std::string function = warp.cta().setting().symbols->function_at(is_absolute ? address - base : 0); !function.empty())
      warp.fail(op, lane, called_text(warp, function, lane));
    if (address % trace::instruction_bytes != 0 || address / trace::instruction_bytes >= warp.code().operations().size())
      warp.fail(op, lane, fmt::format("it goes to {:#x}, where the kernel has no instruction", is_absolute ? address - base : address));
    const auto target = static_cast<std::uint32_t>(address / trace::instruction_bytes);
    if (same == warp.active()) return warp.jump(target);
    ++warp.counts().divergent_branches;
    warp.split(same, target);
    if ((warp.active() & rest) == 0) break;
  }
}

void steps::call_system_function(warp_state& warp, const operation& op, std::uint32_t mask) {
  mask = holding_lanes(warp, op, mask);
  if (mask == 0) return;
  const auto names = listings::symbols_in_code(op.code->text);
  const unsigned lane = lowest_lane(mask);
  warp.fail(op, lane, called_text(warp, names.empty() ? "a function without a name" : std::string(names.front()), lane));
}

void steps::end_lanes(warp_state& warp, const operation& op, std::uint32_t mask) {
  if (const std::uint32_t ending = holding_lanes(warp, op, mask); ending != 0) warp.end_lanes(ending);
}

void steps::trap(warp_state& warp, const operation& op, std::uint32_t mask) {
  if (has_suffix(*op.code, "TRAP")) warp.fail(op, lowest_lane(mask), "the kernel traps here, as a failed assertion does");
}

void steps::set_convergence_barrier(warp_state& warp, const operation& op, std::uint32_t mask) {
  auto& participants = warp.convergence(barrier_of(warp, op));
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    if ((mask >> lane & 1U) != 0) participants[lane] = mask;
}

void steps::wait_for_convergence(warp_state& warp, const operation& op, std::uint32_t mask) {
  mask = holding_lanes(warp, op, mask);
  if (mask == 0) return;
  const unsigned barrier = barrier_of(warp, op);
  const std::uint32_t needed = warp.convergence(barrier)[lowest_lane(mask)] & warp.live();
  if ((needed & ~mask) == 0 && mask == warp.active()) return;
  lane_group group;
  group.pc = warp.pc();
  group.waits_for = lane_group::wait::convergence;
  group.barrier = static_cast<std::uint8_t>(barrier);
  warp.wait(mask, group);
}

/// BREAK: lanes that will not come to the barrier leave it.
void steps::leave_convergence_barrier(warp_state& warp, const operation& op, std::uint32_t mask) {
  const std::uint32_t leaving = holding_lanes(warp, op, mask);
  if (leaving == 0) return;
  auto& participants = warp.convergence(barrier_of(warp, op));
  const std::uint32_t all = participants[lowest_lane(leaving)];
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    if ((all >> lane & 1U) != 0) participants[lane] &= ~leaving;
  warp.release_converged();
}

/// BMOV: a barrier's participants to a register, and back.
void steps::move_convergence_barrier(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  const isa::operand& destination = code.destinations[0];
  auto& participants = warp.convergence(barrier_of(warp, op));
  if (destination.file != register_file::barrier) {
    const warp::lane_vector value = participants;
    warp.write(destination, 0, value, mask);
    if (!has_suffix(code, "CLEAR")) return;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      if ((mask >> lane & 1U) != 0) participants[lane] = 0;
    return;
  }
  warp::lane_vector store;
  const warp::lane_vector& value = warp.word(op, 0, store);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    if ((mask >> lane & 1U) != 0) participants[lane] = value[lane];
}

namespace {

/// The lanes that each lane of WARPSYNC names.
warp::lane_vector companions_of(const warp_state& warp, const operation& op) {
  const isa::instruction& code = *op.code;
  for (unsigned s = 0; s < code.source_count && !has_suffix(code, "ALL"); ++s) {
    if (code.sources[s].is_predicate() || code.sources[s].what == isa::operand::kind::label) continue;
    warp::lane_vector store;
    return warp.word(op, s, store);
  }
  return warp::broadcast(~0U);
}

}  // namespace

/// WARPSYNC: lanes that name other companions wait apart from each other, and go on apart.
void steps::synchronise_warp(warp_state& warp, const operation& op, std::uint32_t mask) {
  const warp::lane_vector companions = companions_of(warp, op);
  for (std::uint32_t rest = mask; rest != 0;) {
    const std::uint32_t named = companions[lowest_lane(rest)], needed = named & warp.live();
    std::uint32_t same = 0;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      if (companions[lane] == named) same |= 1U << lane;
    same &= rest;
    rest &= ~same;
    if ((needed & ~same) == 0 && same == warp.active()) return warp.stay_apart(needed);
    lane_group group;
    group.pc = warp.pc();
    group.waits_for = lane_group::wait::warp;
    group.companions = needed;
    warp.wait(same, group);
  }
}

void steps::yield(warp_state& warp, const operation&, std::uint32_t) { warp.yield(); }

/// BAR.SYNC, BAR.ARV, BAR.RED.
void steps::arrive_at_barrier(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  const auto [number, threads] = barrier_numbers_of(warp, op, mask);
  std::uint32_t votes = ~0U;
  for (unsigned s = 0; s < code.source_count; ++s)
    if (code.sources[s].is_predicate()) votes = warp.predicate(op, s);
  if (number >= cta_state::barriers) warp.fail(op, fmt::format("barrier {}; a CTA has 0 to {}", number, cta_state::barriers - 1));
  if (!code.mods.arrives_only && !warp.cta().setting().is_timed) {
    lane_group group;
    group.pc = warp.pc();
    group.waits_for = lane_group::wait::barrier;
    group.barrier = static_cast<std::uint8_t>(number);
    warp.wait(mask, group);
  }
  warp.cta().arrive(warp, mask, number, threads, {votes, has_suffix(code, "AND")});
}

/// B2R.RESULT: how many threads of the last BAR.RED had a true predicate; as a predicate whether any had, or all.
void steps::read_barrier_result(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  const barrier_vote& vote = warp.last_vote();
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::operand& destination = code.destinations[d];
    if (destination.file == register_file::predicate) {
      warp.write_predicate(destination, vote.holds ? ~0U : 0, mask);
    } else {
      warp.write(destination, 0, warp::broadcast(vote.count), mask);
    }
  }
}

}  // namespace tc::execution
