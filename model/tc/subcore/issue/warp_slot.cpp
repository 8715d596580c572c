// SPDX-License-Identifier: Apache-2.0
#include "warp_slot.hpp"

#include <fmt/format.h>

namespace tc::subcore {

namespace {

/// What a warp waits for while an instruction holds it.
links::stall_cause cause_of_holding(const isa::instruction& code) {
  if (isa::unit_of(code.op) == isa::execution_unit::warpgroup) return links::stall_cause::warpgroup_wait;
  if (const auto* const operation = isa::tcgen05_of(code))
    return std::holds_alternative<isa::tensor_wait_operation>(*operation) ? links::stall_cause::tensor_memory_wait
                                                                          : links::stall_cause::tensor_allocation;
  return isa::info(code.op).memory.action == isa::memory_action::barrier ? links::stall_cause::mbarrier_wait
                                                                         : links::stall_cause::bulk_wait;
}

/// DEPBAR.LE SB0, 0x2: how many instructions may still be under way that have named its counter.
unsigned allowed_instructions(const isa::instruction& code) {
  const bool has_number = code.source_count > 1 && code.sources[1].what == isa::operand::kind::immediate;
  return has_number ? static_cast<unsigned>(code.sources[1].value) : 0;
}

}  // namespace

std::string describe(const warp_slot& slot) {
  if (slot.warp == nullptr) return {};
  std::string text = fmt::format("warp {} of CTA {}", slot.warp->warp_in_cta, slot.warp->cta);
  if (slot.exited) return text + fmt::format(": exited, {} instructions in flight", slot.in_flight);
  const warp::warp_step& at = slot.holder != nullptr ? slot.holder->step : slot.next;
  text += fmt::format(" at /*{:04x}*/ {} (line {}) waits ({})", at.pc, at.code->text, at.line, info(slot.cause).text);
  if (slot.cause == links::stall_cause::wait_mask)
    for (unsigned b = 0; b < isa::control_code::barriers; ++b)
      if (slot.counters[b].open > 0) text += fmt::format(", SB{} ({} instructions)", b, slot.counters[b].open);
  return text;
}

links::result_source source_of_wait_mask(const warp_slot& slot, cycle_t now) {
  const isa::instruction& code = *slot.next.code;
  cycle_t latest = 0;
  links::result_source source = links::result_source::arithmetic;
  const auto look_at = [&](const dependence_counter& counter) {
    if (const cycle_t zero = counter.zero_cycle(now); zero > latest) {
      latest = zero;
      source = counter.source;
    }
  };
  if (code.control)
    for (unsigned mask = code.control->wait_mask; mask != 0; mask &= mask - 1)
      look_at(slot.counters[static_cast<unsigned>(__builtin_ctz(mask))]);
  for (const isa::register_use& use : code.reads)
    if (use.file == isa::register_file::scoreboard) look_at(slot.counters[use.index]);
  return source;
}

links::availability wait_for_control(const warp_slot& slot, const links::standstill& stages, cycle_t now) {
  if (slot.holder != nullptr) return {links::unknown_cycle, cause_of_holding(slot.holder->code())};
  links::availability latest{slot.stalled_until + stages.lost_cycles - slot.lost_before, links::stall_cause::stall_count};
  if (stages.now && latest.cycle == now + 1) latest.cause = links::stall_cause::bank_conflict;
  if (slot.fetched > latest.cycle) latest = {slot.fetched, links::stall_cause::no_instruction};
  const isa::instruction& code = *slot.next.code;
  if (code.control) {
    for (unsigned mask = code.control->wait_mask; mask != 0; mask &= mask - 1) {
      const cycle_t zero = slot.counters[static_cast<unsigned>(__builtin_ctz(mask))].zero_cycle(now);
      if (zero > latest.cycle) latest = {zero, links::stall_cause::wait_mask};
    }
  }
  if (isa::role_of(code.op) == isa::issue_role::waits_for_counters)
    for (unsigned s = 0; s < code.source_count; ++s) {
      if (!code.sources[s].is_register(isa::register_file::scoreboard)) continue;
      // Looked at behind issue: compiled code sets it a cycle before.
      const cycle_t low = slot.counters[code.sources[s].index].low_cycle(s == 0 ? allowed_instructions(code) : 0);
      if (low > latest.cycle) latest = {low, links::stall_cause::wait_mask};
    }
  const bool held = slot.barrier.waiting && (!slot.barrier.deferred || isa::is_queued(code.op) || arrives_at_barrier(code));
  if (held && slot.barrier.opens > latest.cycle) latest = {slot.barrier.opens, links::stall_cause::cta_barrier};
  return latest;
}

void stall(warp_slot& slot, cycle_t issue) {
  const auto& control = slot.next.code->control;
  slot.stalled_until = issue + 1;
  slot.yielded = control && control->yield;
  if (!control) return;
  const unsigned count = control->stall_cycles;
  slot.stalled_until = issue + std::max(1u, count) + (control->yield && count <= 1 ? 1u : 0u);
}

void note_waits(warp_slot& slot, cycle_t issue, std::uint64_t issued) {
  const isa::instruction& code = *slot.next.code;
  for (unsigned mask = code.control->wait_mask; mask != 0; mask &= mask - 1) {
    const auto counter = static_cast<unsigned>(__builtin_ctz(mask));
    const dependence_counter& waited = slot.counters[counter];
    const std::size_t last = links::index(waited.source);
    const std::uint64_t seen = issue < waited.seen_from ? waited.named_by[last] - 1 : issued;
    slot.waited_for.by_counter[counter] = seen;
    for (std::size_t source = 0; source < links::result_sources; ++source)
      if (waited.named_by[source] <= seen)
        slot.waited_for.by_source[source] = std::max(slot.waited_for.by_source[source], waited.named_by[source]);
  }
  if (isa::role_of(code.op) != isa::issue_role::waits_for_counters) return;
  for (const isa::register_use& use : code.reads)
    if (use.file == isa::register_file::scoreboard) slot.waited_for.by_counter[use.index] = issued;
}

}  // namespace tc::subcore
