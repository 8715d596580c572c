// SPDX-License-Identifier: Apache-2.0
#include "scoreboard.hpp"

#include <algorithm>
#include <utility>

#include <systemc>

#include <tc/isa/bypass.hpp>

namespace tc::subcore {

namespace {

/// Whether results come in the order of their instructions: a wait for one is a wait for those before it, on which compiled code relies.
bool returns_in_order(links::result_source source) {
  return source == links::result_source::shared_memory || source == links::result_source::special;
}

}  // namespace

scoreboard::scoreboard(const links::operand_timing& operands, unsigned warp_slots, least_latencies latencies)
    : operands_(operands),
      latencies_(std::move(latencies)),
      results_(warp_slots),
      recent_(warp_slots),
      reads_(operands.operands_wait ? warp_slots : 0),
      late_(warp_slots),
      read_late_(warp_slots) {}

void scoreboard::clear(unsigned warp_slot) {
  results_[warp_slot] = {};
  recent_[warp_slot] = {};
  late_[warp_slot] = {};
  read_late_[warp_slot] = {};
  if (operands_.operands_wait) reads_[warp_slot] = {};
}

/// The first issue of a consumer that reads a result `read_offset` cycles after its issue, and sees it: the result is visible from
/// `visible` on.
cycle_t scoreboard::earliest_issue(cycle_t visible, std::int64_t read_offset) {
  if (visible == links::unknown_cycle) return visible;
  return static_cast<cycle_t>(std::max<std::int64_t>(static_cast<std::int64_t>(visible) - read_offset, 0));
}

/// The same of an instruction that reads registers whose results are on their way. An unknown cycle is later than all others.
cycle_t scoreboard::earliest_reader(const isa::instruction& code, const isa::register_use& use, unsigned warp_slot) const {
  cycle_t earliest = 0;
  for (unsigned i = 0; i < use.count; ++i) {
    const register_result& result = results_[warp_slot][position(use) + i];
    if (result.visible != 0)
      earliest = std::max(earliest, earliest_issue(result.visible, operands_.read_offset(result.unit, code, use, i)));
  }
  return earliest;
}

/// The same of one that writes them, or registers that others have not read yet.
cycle_t scoreboard::earliest_writer(const isa::instruction& code, const isa::register_use& use, unsigned warp_slot) const {
  cycle_t earliest = 0;
  for (unsigned reg = position(use); reg < position(use) + use.count; ++reg)
    earliest = std::max({earliest, earliest_overwrite(results_[warp_slot][reg], code), last_read(reg, warp_slot)});
  return earliest;
}

/// The first issue of an instruction whose result comes behind an earlier one of the same register. Of two that come together the later
/// call stays. Without control codes the scoreboard stands for a compiler, which lets the earlier result come before the operands are read.
cycle_t scoreboard::earliest_overwrite(const register_result& earlier, const isa::instruction& code) const {
  if (earlier.visible == 0 || (code.control && comes_in_order(earlier, code))) return 0;
  if (earlier.visible == links::unknown_cycle) return links::unknown_cycle;
  const cycle_t from_issue = operands_.earliest_read(code) + (code.control ? latencies_.cycles(code) : 0);
  return earlier.visible - std::min(earlier.visible, from_issue);
}

/// Whether a unit gives the results of two instructions in the order in which they issue: those that write_back keeps in order, and the
/// tensor cores if both do the same. Operands that wait may come to a unit in any order.
bool scoreboard::comes_in_order(const register_result& earlier, const isa::instruction& code) const {
  if (operands_.operands_wait) return false;
  const isa::execution_unit unit = isa::unit_of(code.op);
  if (unit == isa::execution_unit::tensor) return earlier.op == code.op;
  const bool is_in_order =
      unit == isa::execution_unit::special_function || unit == isa::execution_unit::fp64 || unit == isa::execution_unit::system;
  return is_in_order && isa::unit_of(earlier.op) == unit;
}

/// When an asynchronous matrix instruction may issue for its accumulators, which it reads and writes in the register banks.
cycle_t scoreboard::earliest_accumulation(const isa::wgmma_operation& operation, const isa::instruction& code, unsigned warp_slot) const {
  const cycle_t ahead = operands_.earliest_read(code);
  cycle_t earliest = 0;
  for (const std::uint8_t reg : operation.accumulators) {
    const unsigned accumulator = links::register_position(isa::register_file::vector, reg);
    const cycle_t visible = results_[warp_slot][accumulator].visible;
    const cycle_t issue = visible == links::unknown_cycle ? visible : visible - std::min(visible, ahead);
    earliest = std::max({earliest, issue, last_read(accumulator, warp_slot)});
  }
  return earliest;
}

/// When the last operand that waits has been read from a register.
cycle_t scoreboard::last_read(unsigned reg, unsigned warp_slot) const {
  if (!operands_.operands_wait) return 0;
  const register_reads& reads = reads_[warp_slot][reg];
  return reads.readers > 0 ? links::unknown_cycle : reads.last;
}

cycle_t scoreboard::earliest_issue(const warp::warp_step& step, unsigned warp_slot) const {
  const isa::instruction& code = *step.code;
  const bool has_lanes = step.mask != 0;
  cycle_t earliest = 0;
  for (const isa::register_use& use : code.reads)
    if (links::has_position(use.file) && (has_lanes || links::operand_timing::is_guard(code, use)))
      earliest = std::max(earliest, earliest_reader(code, use, warp_slot));
  if (!has_lanes) return earliest;
  for (const isa::register_use& use : code.writes)
    if (links::has_position(use.file)) earliest = std::max(earliest, earliest_writer(code, use, warp_slot));
  if (const isa::wgmma_operation* const operation = isa::wgmma_of(code))
    earliest = std::max(earliest, earliest_accumulation(*operation, code, warp_slot));
  return earliest;
}

links::result_source scoreboard::awaited_source(const isa::instruction& code, unsigned warp_slot) const {
  const warp_results& results = results_[warp_slot];
  const register_result* last = nullptr;
  const auto look_at = [&](unsigned position) {
    if (last == nullptr || results[position].visible > last->visible) last = &results[position];
  };
  for (const auto* const uses : {&code.reads, &code.writes})
    for (const isa::register_use& use : *uses)
      for (unsigned i = 0; links::has_position(use.file) && i < use.count; ++i) look_at(position(use) + i);
  if (const isa::wgmma_operation* const operation = isa::wgmma_of(code))
    for (const std::uint8_t reg : operation->accumulators) look_at(links::register_position(isa::register_file::vector, reg));
  return last == nullptr ? links::result_source::arithmetic : last->source;
}

std::optional<links::early_read> scoreboard::reads_early(const warp::warp_step& step, unsigned warp_slot, issue_time issue,
                                                         const counter_waits& waits) {
  const isa::instruction& code = *step.code;
  std::optional<links::early_read> found;  // the worst so far; all ways return it, so that nothing is copied
  const auto find = [&found](const isa::register_use* use, cycle_t cycles, links::early_kind kind) {
    if (!found || found->kind < kind) found = links::early_read{use, cycles, kind};
  };
  // Most results are old: `recent` is there to pass them quickly.
  register_set& recent = recent_[warp_slot];
  const cycle_t lead = operands_.longest_lead();
  for (const isa::register_use& read : code.reads) {
    if (!links::has_position(read.file) || (step.mask == 0 && !links::operand_timing::is_guard(code, read))) continue;
    if (!recent.has_any(position(read), read.count)) continue;
    for (unsigned i = 0; i < read.count; ++i) {
      const unsigned reg = position(read) + i;
      if (!recent.has(reg)) continue;
      const register_result& result = results_[warp_slot][reg];
      const bool is_waited_for = has_been_waited_for(result, waits);
      if (!is_waited_for) find(&read, links::unknown_cycle, links::early_kind::read_without_wait);
      const bool is_old = result.visible != links::unknown_cycle && result.visible + lead <= issue.cycle;
      if (is_old && result.by_stall_counts + lead <= issue.by_stall_counts) {
        if (is_waited_for) recent.remove(reg);
        continue;
      }
      const std::int64_t offset = operands_.read_offset(result.unit, code, read, i);
      const cycle_t possible = earliest_issue(result.visible, offset);
      const cycle_t guaranteed = result.by_stall_counts == 0 ? 0 : earliest_issue(result.by_stall_counts, offset);
      if (guaranteed > issue.by_stall_counts) find(&read, guaranteed - issue.by_stall_counts, links::early_kind::by_stall_counts);
      if (possible > issue.cycle) {
        found = {&read, possible == links::unknown_cycle ? possible : possible - issue.cycle, links::early_kind::happened};
        return found;
      }
    }
  }
  if (found || step.mask == 0) return found;
  if (const isa::register_use* const written = overwritten_without_wait(code, warp_slot, waits))
    find(written, links::unknown_cycle, links::early_kind::overwritten_without_wait);
  if (const isa::register_use* const written = overwritten_before_read(step, waits, warp_slot))
    find(written, links::unknown_cycle, links::early_kind::overwritten_before_read);
  return found;
}

const isa::register_use* scoreboard::overwritten_before_read(const warp::warp_step& step, const counter_waits& waits,
                                                             unsigned warp_slot) const {
  const warp_late_reads& late = late_[warp_slot];
  for (const isa::register_use& write : step.code->writes) {
    if (write.file != isa::register_file::vector || !read_late_[warp_slot].has_any(write.index, write.count)) continue;
    for (unsigned i = 0; i < write.count; ++i) {
      const late_read& read = late[write.index + i];
      if ((read.lanes & step.mask) != 0 && !has_been_read(read, *step.code, waits)) return &write;
    }
  }
  return nullptr;
}

/// The instructions of a unit read their registers in their order, and what a later one writes comes behind. So a wait for a memory
/// instruction is a wait for those before it.
bool scoreboard::has_been_read(const late_read& read, const isa::instruction& writer, const counter_waits& waits) {
  for (const std::uint8_t counter : {read.read_counter, read.write_counter})
    if (counter != no_counter && read.reader <= waits.by_counter[counter - 1U]) return true;
  if (isa::unit_of(writer.op) == read.unit) return true;
  if (read.unit != isa::execution_unit::load_store) return false;
  return read.reader <= std::max(waits.by_source[links::index(links::result_source::shared_memory)],
                                 waits.by_source[links::index(links::result_source::global_memory)]);
}

/// What reads its registers late says so by a read barrier. Without one, something else keeps others from overwriting them, as the barrier
/// of the CTA behind a store.
void scoreboard::note_late_reads(const links::warp_instruction& instruction) {
  const isa::instruction& code = instruction.code();
  constexpr std::uint8_t none = isa::control_code::no_barrier;
  if (!code.control || code.control->read_barrier == none || instruction.step.mask == 0) return;
  late_read read;
  read.reader = instruction.id;
  read.lanes = instruction.step.mask;
  read.unit = isa::unit_of(code.op);
  read.read_counter = static_cast<std::uint8_t>(code.control->read_barrier + 1);
  if (code.control->write_barrier != none) read.write_counter = static_cast<std::uint8_t>(code.control->write_barrier + 1);
  for (const isa::register_use& use : code.reads)
    for (unsigned i = 0; use.file == isa::register_file::vector && i < use.count; ++i) {
      late_[instruction.warp->slot][use.index + i] = read;
      read_late_[instruction.warp->slot].add(use.index + i);
    }
}

const isa::register_use* scoreboard::overwritten_without_wait(const isa::instruction& code, unsigned warp_slot,
                                                              const counter_waits& waits) const {
  for (const isa::register_use& write : code.writes) {
    if (!links::has_position(write.file)) continue;
    if (!recent_[warp_slot].has_any(position(write), write.count)) continue;
    for (unsigned reg = position(write); reg < position(write) + write.count; ++reg) {
      if (!recent_[warp_slot].has(reg)) continue;
      const register_result& earlier = results_[warp_slot][reg];
      if (!has_been_waited_for(earlier, waits) && !comes_in_order(earlier, code)) return &write;
    }
  }
  return nullptr;
}

/// What stall counts cannot promise, a consumer has to wait for.
std::uint8_t scoreboard::counter_of(const links::warp_instruction& instruction) {
  const auto& control = instruction.code().control;
  if (!control) return no_counter;
  if (control->write_barrier != isa::control_code::no_barrier) return static_cast<std::uint8_t>(control->write_barrier + 1);
  return instruction.result_known() ? no_counter : missing_counter;
}

bool scoreboard::has_been_waited_for(const register_result& result, const counter_waits& waits) {
  if (result.counter == no_counter) return true;
  if (result.counter != missing_counter && result.writer <= waits.by_counter[result.counter - 1U]) return true;
  return returns_in_order(result.source) && result.writer <= waits.by_source[links::index(result.source)];
}

/// Registers outside the banks are read at dispatch, which is known when the instruction retires.
bool scoreboard::holds_until_retired(const links::warp_instruction& instruction, const isa::register_use& use) {
  return use.file != isa::register_file::vector || !instruction.operands_read_known;
}

void scoreboard::issued(const links::warp_instruction& instruction, cycle_t by_stall_counts) {
  const std::uint32_t slot = instruction.warp->slot;
  const auto& control = instruction.code().control;
  register_result result{links::unknown_cycle, 0, instruction.id, isa::execution_unit::none, instruction.code().op};
  result.source = links::source_of(instruction.code());
  result.counter = counter_of(instruction);
  if (instruction.result_known()) result.visible = instruction.promised_result;
  // Consumers of others wait for a dependence counter.
  if (instruction.result_known() && (!control || control->write_barrier == isa::control_code::no_barrier)) {
    // What follows an instruction without a stall count cannot rely on one.
    if (control) result.by_stall_counts = by_stall_counts + instruction.promised_result - instruction.issued;
    result.unit = isa::bypass_of(instruction.code().op);
  }
  for (const isa::register_use& use : instruction.code().writes) {
    if (!links::has_position(use.file) || instruction.step.mask == 0) continue;
    register_result* const first = results_[slot].data() + position(use);
    std::fill_n(first, use.count, result);
    for (unsigned i = 0; i < use.count; ++i) recent_[slot].add(position(use) + i);
    if (!instruction.result_known()) continue;
    first->visible = instruction.visible(0, use.count, result.visible);
    if (result.by_stall_counts != 0) first->by_stall_counts = instruction.visible(0, use.count, result.by_stall_counts);
  }
  note_late_reads(instruction);
  if (!operands_.operands_wait) return;
  for (const isa::register_use& use : instruction.code().reads) {
    if (!links::has_position(use.file)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      register_reads& reads = reads_[slot][position(use) + i];
      if (holds_until_retired(instruction, use))
        ++reads.readers;
      else
        reads.last = std::max(reads.last, instruction.operands_read);
    }
  }
}

void scoreboard::settle_results(const links::warp_instruction& instruction) {
  warp_results& results = results_[instruction.warp->slot];
  for (const isa::register_use& use : instruction.code().writes) {
    if (!links::has_position(use.file)) continue;
    const unsigned first = position(use);
    for (unsigned i = 0; i < use.count; ++i) {
      if (results[first + i].writer != instruction.id) continue;
      results[first + i].visible = instruction.visible(i, use.count, instruction.result);
      recent_[instruction.warp->slot].add(first + i);
    }
  }
}

void scoreboard::retired(const links::warp_instruction& instruction) {
  if (instruction.result != instruction.promised_result) settle_results(instruction);
  if (!operands_.operands_wait) return;
  for (const isa::register_use& use : instruction.code().reads) {
    if (!links::has_position(use.file) || !holds_until_retired(instruction, use)) continue;
    for (unsigned i = 0; i < use.count; ++i) {
      register_reads& reads = reads_[instruction.warp->slot][position(use) + i];
      sc_assert(reads.readers > 0);
      --reads.readers;
      reads.last = std::max(reads.last, instruction.dispatch);
    }
  }
}

}  // namespace tc::subcore
