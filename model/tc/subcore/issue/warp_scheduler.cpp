// SPDX-License-Identifier: Apache-2.0
#include "warp_scheduler.hpp"

#include <algorithm>

#include <tc/links/arrival_cycle.hpp>
#include <tc/links/edge_stage.hpp>
#include <tc/links/unit_port.hpp>
#include <tc/subcore/issue/control_transfer.hpp>
#include <tc/subcore/issue/warp_slot.hpp>

namespace tc::subcore {

namespace {

bool holds_warp(const isa::instruction& code) { return isa::role_of(code.op) == isa::issue_role::holds_warp; }

/// A BAR that no thread executes does not arrive.
bool arrives(const links::warp_instruction& instruction) { return arrives_at_barrier(instruction.code()) && instruction.step.mask != 0; }

}  // namespace

warp_scheduler::warp_scheduler(const sc_core::sc_module_name& module_name, const params& parameters, fabric::clock_domain& clock)
    : sc_module(module_name),
      params_(parameters),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::issue)),
      slots_(parameters.warp_slots),
      asleep_until_(parameters.warp_slots, links::unknown_cycle),
      asynchronous_(parameters.warp_slots),
      selection_(parameters.issue),
      starts_(parameters.jitter) {
  retire.serve<&warp_scheduler::retired>(*this);
  control.bind(*this);
}

warp_scheduler::~warp_scheduler() = default;

void warp_scheduler::end_of_elaboration() {
  operands_ = fetch_status->timing();
  scoreboard_ = make_scoreboard();
}

void warp_scheduler::launch(const warp::warp_context& warp, cycle_t first) {
  warp_slot& slot = slots_[warp.slot];
  sc_assert(slot.warp == nullptr);
  charge_issue_slot(first);
  counting_ = true;
  slot = warp_slot{};
  slot.warp = &warp;
  slot.stalled_until = starts_.start(warp, first);
  slot.launch_order = starts_.next_order(warp, slot.stalled_until);
  slot.accounting.started = first;
  slot.accounted = first;
  slot.lost_before = standstill_.lost_cycles;
  scoreboard_->clear(warp.slot);
  if (warp.has_warpgroup_operations) asynchronous_[warp.slot] = {};
  fetch_status->warp_launched(warp);
  if (told_ != nullptr) told_->launched(warp, first);
  if (params_.fetch != nullptr) params_.fetch->launch(warp.slot);
  slot.exited = !take_next(slot, first);
  if (slot.exited) {
    slot.exit_cycle = first;
    tell_exit(slot);
    drain(slot);
    return;
  }
  asleep_until_[warp.slot] = first;
  candidates_.insert(std::upper_bound(candidates_.begin(), candidates_.end(), warp.slot), warp.slot);
  clock_.wake(clocked_id_, first);
}

void warp_scheduler::open_barrier(std::uint32_t slot, cycle_t cycle) {
  slots_[slot].barrier.opens = cycle;
  wake_for(slots_[slot], cycle);
}

void warp_scheduler::end_warps() {
  if (!candidates_.empty()) charge_issue_slot(clock_.cycle());
  slot_cause_ = links::stall_cause::no_warp;
  for (warp_slot& slot : slots_) {
    if (!slot.can_issue()) continue;
    slot.exited = slot.accounting.was_ended = true;
    slot.exit_cycle = clock_.cycle();
    end_candidate(number_of(slot));
    tell_exit(slot);
    drain(slot);
  }
}

void warp_scheduler::ask_again(cycle_t cycle) {
  for (warp_slot& slot : slots_)
    if (slot.can_issue()) wake_for(slot, cycle);
}

void warp_scheduler::answers_changed() { forecasts_ = {}; }

/// Looks at the warp again in `cycle`, or as soon after as an edge can still be scheduled.
void warp_scheduler::wake_for(const warp_slot& slot, cycle_t cycle) {
  const cycle_t next = std::max(cycle, clock_.edge_at(sc_core::SC_ZERO_TIME));
  cycle_t& asleep_until = asleep_until_[number_of(slot)];
  if (slot.can_issue()) asleep_until = std::min(asleep_until, next);
  clock_.wake(clocked_id_, next);
}

/// When the warp can issue its next instruction, not before `cycle`, and what it waits for until then. What has let the instruction go is
/// not asked again.
links::availability warp_scheduler::look_at(warp_slot& slot, cycle_t cycle) {
  if (!slot.control_passed || slot.passed_with_lost != standstill_.lost_cycles) {
    const links::availability released = wait_for_control(slot, standstill_, cycle);
    slot.waits_since = released.cycle;
    if (released.cycle > cycle) return released;
    slot.control_passed = cycle >= slot.counters_seen;
    slot.passed_with_lost = standstill_.lost_cycles;
  }
  if (standstill_.now) return {cycle + 1, links::stall_cause::bank_conflict};
  const isa::instruction& code = *slot.next.code;
  if (!slot.registers_settled) {
    if (params_.interlock || !code.control) {
      const cycle_t settled = scoreboard_->earliest_issue(slot.next, slot.warp->slot);
      if (settled > cycle) return {settled, links::stall_cause::scoreboard};
    }
    slot.registers_settled = true;
  }
  if (slot.ends_here) return {cycle, links::stall_cause::none};
  if (const kind_forecast& known = forecast_for(slot.kind); holds(known, slot)) return known.forecast.at(cycle);
  const links::issue_forecast asked = fetch_status->earliest_issue(code, *slot.warp, cycle);
  slot.kind = slot.control_passed ? asked.kind : 0;
  if (asked.kind != 0) forecast_for(asked.kind) = {asked, issued_};
  return asked.at(cycle);
}

/// Whose result a warp waits for that waits for one.
links::result_source warp_scheduler::awaited_source(const warp_slot& slot, cycle_t cycle) const {
  if (slot.cause == links::stall_cause::wait_mask) return source_of_wait_mask(slot, cycle);
  if (slot.cause == links::stall_cause::scoreboard) return scoreboard_->awaited_source(*slot.next.code, slot.warp->slot);
  return slot.last_source;
}

void warp_scheduler::charge(warp_slot& slot, cycle_t cycle) {
  if (cycle <= slot.accounted) return;
  slot.accounting.stalled[slot.cause] += cycle - slot.accounted;
  if (links::waits_for_result(slot.cause)) awaited_[index(slot.awaited)] += cycle - slot.accounted;
  slot.accounted = cycle;
}

/// Slots behind the last warp are charged when another one is launched; else they are not.
void warp_scheduler::charge_issue_slot(cycle_t cycle) {
  if (counting_ && cycle > slot_accounted_) issue_slots_.add(slot_cause_, slot_accounted_, cycle);
  slot_accounted_ = std::max(slot_accounted_, cycle);
}

void warp_scheduler::evaluate(cycle_t cycle) {
  if (!candidates_.empty()) charge_issue_slot(cycle);
  standstill_ = fetch_status->standstill_at(cycle);
  std::size_t first = look_at_due_warps(cycle);
  const std::size_t chosen = selection_.choose(slots_, ready_, cycle);
  if (chosen != warp_selection::no_slot) {
    issue_from(slots_[chosen], cycle);
    first = pass_over_others(cycle);
  }
  slot_cause_ = cause_of_empty_slots(chosen, first);
  if (told_ != nullptr) tell_waits(chosen, cycle);
  if (first != warp_selection::no_slot && asleep_until_[first] != links::unknown_cycle)
    clock_.wake(clocked_id_, std::max(asleep_until_[first], cycle + 1));
}

/// Finds out about every warp that need not sleep any longer: ready now, or waiting for a cause until a later cycle. If none is ready,
/// returns the slot of the one that will be looked at first; no_slot if none can issue.
std::size_t warp_scheduler::look_at_due_warps(cycle_t cycle) {
  ready_.clear();
  std::size_t first = candidates_.empty() ? warp_selection::no_slot : candidates_.front();
  cycle_t due = links::unknown_cycle;
  for (const std::size_t i : candidates_) {
    cycle_t& until = asleep_until_[i];
    if (until <= cycle) {
      warp_slot& slot = slots_[i];
      const kind_forecast& known = forecast_for(slot.kind);
      const bool is_foreseen = holds(known, slot) && slot.passed_with_lost == standstill_.lost_cycles;
      const links::availability found = is_foreseen ? known.forecast.at(cycle) : look_at(slot, cycle);
      charge(slot, cycle);
      if (found.cycle <= cycle) {
        slot.cause = links::stall_cause::none;
        until = cycle;
        const std::size_t number = i;  // push_back() takes a reference, and would keep `i` itself out of the registers of the host
        ready_.push_back(number);
        continue;
      }
      slot.cause = found.cause;
      if (links::waits_for_result(found.cause)) slot.awaited = awaited_source(slot, cycle);
      until = found.cycle;
    }
    if (until >= due) continue;
    due = until;
    first = i;
  }
  return first;
}

/// Ready warps that were not chosen lose this cycle. Returns the slot of the warp that will be looked at first; no_slot if none can issue.
std::size_t warp_scheduler::pass_over_others(cycle_t cycle) {
  std::size_t first = candidates_.empty() ? warp_selection::no_slot : candidates_.front();
  cycle_t due = links::unknown_cycle;
  for (const std::size_t i : candidates_) {
    cycle_t& until = asleep_until_[i];
    if (until <= cycle) {
      slots_[i].cause = links::stall_cause::not_selected;
      until = cycle + 1;
    }
    if (until >= due) continue;
    due = until;
    first = i;
  }
  return first;
}

/// Why the coming issue slots stay empty, should they: what the warp waits for that issued last, or else the one that will be ready first.
links::stall_cause warp_scheduler::cause_of_empty_slots(std::size_t chosen, std::size_t first) const {
  if (chosen != warp_selection::no_slot && slots_[chosen].can_issue()) return slots_[chosen].cause;
  return first == warp_selection::no_slot ? links::stall_cause::no_warp : slots_[first].cause;
}

/// What the warps and the issue slots wait for from now on. What is looked at again in the next cycle is not told ahead.
void warp_scheduler::tell_waits(std::size_t chosen, cycle_t cycle) {
  cycle_t next = links::unknown_cycle;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const warp_slot& slot = slots_[i];
    if (!slot.can_issue() || slot.accounting.started > cycle) continue;
    next = std::min(next, asleep_until_[i]);
    if (i != chosen)
      told_->waits(*slot.warp, slot.next, slot.cause, cycle);
    else if (asleep_until_[i] > cycle + 1)
      told_->waits(*slot.warp, slot.next, slot.cause, cycle + 1);
  }
  if (chosen == warp_selection::no_slot)
    told_->slots_empty(slot_cause_, cycle);
  else if (next > cycle + 1)
    told_->slots_empty(slot_cause_, cycle + 1);
}

links::warp_instruction& warp_scheduler::new_instruction(const warp_slot& slot, cycle_t cycle) {
  if (free_instructions_.empty()) {
    instructions_.push_back(std::make_unique<links::warp_instruction>());
    // An operand that nobody brings, as a special register, is somewhere too.
    for (unsigned i = 0; i < links::warp_instruction::max_operand_registers; ++i) instructions_.back()->room_at(i);
    free_instructions_.push_back(instructions_.back().get());
  }
  links::warp_instruction& instruction = *free_instructions_.back();
  free_instructions_.pop_back();
  instruction.step.assign(slot.next);
  instruction.warp = slot.warp;
  instruction.id = issued_;
  instruction.issued = cycle;
  instruction.record = told_ == nullptr ? 0 : told_->issued(*slot.warp, slot.next, cycle);
  instruction.dispatch = instruction.operands_read = instruction.result = instruction.lower_half_lead = 0;
  instruction.undefined_lanes = 0;
  instruction.origin = {};
  return instruction;
}

void warp_scheduler::issue_from(warp_slot& slot, cycle_t cycle) {
  if (slot.warp->is_executed) stream->issues(slot.warp->slot, slot.next, cycle);
  charge(slot, cycle);
  slot.accounted = cycle + 1;
  slot_accounted_ = cycle + 1;
  issue_slots_.add(links::stall_cause::none, cycle, cycle + 1);
  if (slot.accounting.instructions++ == 0) slot.accounting.first_issue = cycle;
  slot.accounting.last_issue = cycle;
  ++issued_;
  const isa::instruction& code = *slot.next.code;
  selection_.issued(number_of(slot), code, cycle);
  slot.last_source = links::source_of(code);
  slot.lost_before = standstill_.lost_cycles;
  stall(slot, cycle);
  if (code.control && !params_.interlock) {
    note_waits(slot, cycle, issued_);
    const auto early = scoreboard_->reads_early(slot.next, slot.warp->slot, {cycle, slot.by_stall_counts}, slot.waited_for);
    if (early) observer->register_hazard(*slot.warp, slot.next, *early);
  }
  if (slot.ends_here) {
    finish_in_scheduler(slot, cycle);
  } else {
    send(slot, new_instruction(slot, cycle));
  }
  slot.by_stall_counts += slot.stalled_until - cycle;
  advance(slot, cycle);
}

/// Control flow and waits: nothing is left of them but their dependence counters, which nothing holds.
void warp_scheduler::finish_in_scheduler(warp_slot& slot, cycle_t cycle) {
  ++retired_;
  if (told_ != nullptr) told_->retired(*slot.warp, told_->issued(*slot.warp, slot.next, cycle), cycle + 1);
  const auto& control_code = slot.next.code->control;
  if (!control_code) return;
  for (const std::uint8_t barrier : {control_code->read_barrier, control_code->write_barrier})
    if (barrier != isa::control_code::no_barrier)
      increment(slot, barrier, *slot.next.code, cycle).release_at(cycle + operands_.issue_to_dispatch_cycles);
}

void warp_scheduler::send(warp_slot& slot, links::warp_instruction& instruction) {
  const isa::modifiers& mods = instruction.code().mods;
  if (arrives(instruction) && !mods.arrives_only) slot.barrier = {true, mods.defer_blocking, links::unknown_cycle};
  if (holds_warp(instruction.code()) && instruction.step.mask != 0) slot.holder = &instruction;
  if (slot.warp->has_warpgroup_operations) check_asynchronous(instruction);
  ++slot.in_flight;
  links::hand_on(issue, instruction);
  instruction.promised_result = instruction.result;
  instruction.operands_read_known = instruction.operands_read != links::unknown_cycle;
  scoreboard_->issued(instruction, slot.by_stall_counts);
  apply_control(slot, instruction);
}

void warp_scheduler::apply_control(warp_slot& slot, const links::warp_instruction& instruction) {
  const auto& control_code = instruction.code().control;
  if (!control_code) return;
  if (control_code->read_barrier != isa::control_code::no_barrier) {
    dependence_counter& counter = increment(slot, control_code->read_barrier, instruction.code(), instruction.issued);
    if (instruction.operands_read_known)
      counter.release_at(instruction.operands_read);
    else
      ++counter.open;
    if (told_ != nullptr)
      hold_counter(instruction, control_code->read_barrier,
                   instruction.operands_read_known ? instruction.operands_read : links::unknown_cycle);
  }
  if (control_code->write_barrier != isa::control_code::no_barrier) {
    dependence_counter& counter = increment(slot, control_code->write_barrier, instruction.code(), instruction.issued);
    if (instruction.result_known())
      counter.release_at(operands_.earliest_consumer(instruction.code(), instruction.result));
    else
      ++counter.open;
    if (told_ != nullptr)
      hold_counter(instruction, control_code->write_barrier,
                   instruction.result_known() ? operands_.earliest_consumer(instruction.code(), instruction.result) : links::unknown_cycle);
  }
}

dependence_counter& warp_scheduler::increment(warp_slot& slot, unsigned counter, const isa::instruction& code, cycle_t cycle) {
  slot.counters[counter].increment(cycle);
  slot.counters[counter].source = links::source_of(code);
  slot.counters[counter].named_by[links::index(slot.counters[counter].source)] = issued_;
  slot.counters_seen = cycle + dependence_counter::seen_after;
  return slot.counters[counter];
}

void warp_scheduler::hold_counter(const links::warp_instruction& instruction, unsigned counter, cycle_t released) {
  told_->counter_held(*instruction.warp, counter, instruction.record, instruction.issued);
  if (released != links::unknown_cycle)
    told_->counter_released(*instruction.warp, counter, instruction.record, std::max(released, instruction.issued));
}

/// Reports an instruction that meets registers which asynchronous instructions use behind the warp's back.
void warp_scheduler::check_asynchronous(const links::warp_instruction& instruction) {
  if (instruction.step.mask == 0) return;
  const auto broken = asynchronous_[instruction.warp->slot].issued(instruction.code());
  if (broken) observer->ordering_hazard(instruction, broken->text());
}

/// Takes the warp's next instruction, which follows one that issued in `cycle`; false at its end.
bool warp_scheduler::take_next(warp_slot& slot, cycle_t cycle) {
  if (!stream->next(slot.warp->slot, slot.next)) return false;
  slot.lanes = slot.next.mask;
  slot.ends_here = links::ends_in_scheduler(slot.next.code->op);
  if (params_.fetch != nullptr) slot.fetched = params_.fetch->next(slot.warp->slot, slot.warp->kernel, slot.next.pc, cycle);
  return true;
}

/// The same behind another instruction: one of control flow may have sent the warp elsewhere, from where it must be fetched.
bool warp_scheduler::take_behind(warp_slot& slot, cycle_t cycle) {
  if (isa::unit_of(slot.next.code->op) != isa::execution_unit::branch) return take_next(slot, cycle);
  const bool is_executed = slot.warp->is_executed;
  const control_instruction from{slot.next.code, slot.next.pc, is_executed ? slot.lanes : slot.next.mask, is_executed};
  if (!take_next(slot, cycle)) return false;
  const cycle_t later = transfer_cycles(params_.branch, from, slot.next);
  if (later != 0) slot.fetched = std::max(slot.fetched, slot.stalled_until + later);
  return true;
}

/// Goes on to the next instruction, or ends the warp.
void warp_scheduler::advance(warp_slot& slot, cycle_t cycle) {
  slot.cause = links::stall_cause::stall_count;
  slot.awaited = slot.last_source;
  slot.control_passed = slot.registers_settled = false;
  slot.kind = 0;
  asleep_until_[number_of(slot)] = slot.stalled_until;
  if (take_behind(slot, cycle)) return;
  end_candidate(number_of(slot));
  slot.exited = true;
  slot.exit_cycle = cycle;
  tell_exit(slot);
  drain(slot);
}

/// Nothing more issues from the slot.
void warp_scheduler::end_candidate(std::size_t slot) {
  asleep_until_[slot] = links::unknown_cycle;
  candidates_.erase(std::find(candidates_.begin(), candidates_.end(), slot));
}

/// A warp that has exited no longer counts at barriers, once all that it issued is done: it arrives where its last BAR is on the way to,
/// and who waited for its exit finds what it stored (measured on an H100: 32 conflicting stores hold others as long before EXIT as before
/// BAR).
void warp_scheduler::tell_exit(const warp_slot& slot) {
  if (slot.exited && slot.in_flight == 0) supervisor->warp_exited(*slot.warp, std::max({slot.exit_cycle, slot.drained, clock_.cycle()}));
}

/// Frees the slot of an exited warp once nothing of it is in flight.
void warp_scheduler::drain(warp_slot& slot) {
  if (!slot.exited || slot.in_flight > 0) return;
  const warp::warp_context& warp = *slot.warp;
  const cycle_t last = std::max(slot.drained, slot.accounting.last_issue + 1);
  if (told_ != nullptr) told_->drained(warp, std::max(last, clock_.cycle()));
  slot.warp = nullptr;
  sc_assert(!idle() || has_retired_all());
  supervisor->warp_drained(warp, last);
}

tlm::tlm_sync_enum warp_scheduler::retired(links::warp_instruction& instruction, tlm::tlm_phase&, sc_core::sc_time&) {
  const cycle_t visible = instruction.result;
  warp_slot& slot = slots_[instruction.warp->slot];
  const isa::instruction& code = instruction.code();
  sc_assert(is_in_flight(instruction) && visible > instruction.issued);
  scoreboard_->retired(instruction);
  ++retired_;
  --slot.in_flight;
  slot.drained = std::max(slot.drained, visible);
  if (told_ != nullptr) told_->retired(*instruction.warp, instruction.record, visible);
  const auto close = [&](std::uint8_t barrier, cycle_t release) {
    if (barrier == isa::control_code::no_barrier || slot.counters[barrier].open == 0) return;
    --slot.counters[barrier].open;
    slot.counters[barrier].release_at(release);
    if (told_ != nullptr) told_->counter_released(*instruction.warp, barrier, instruction.record, std::max(release, clock_.cycle()));
  };
  if (code.control) {
    if (!instruction.result_known()) close(code.control->write_barrier, operands_.earliest_consumer(code, visible));
    if (!instruction.operands_read_known) close(code.control->read_barrier, instruction.operands_read);
  }
  if (arrives(instruction)) supervisor->barrier_arrival(*instruction.warp, isa::arrival_of(code), visible);
  tell_exit(slot);
  if (holds_warp(code)) {
    release_held(slot, code, visible);
  } else if (slot.can_issue()) {
    wake_for(slot, operands_.earliest_consumer(visible));
  }
  free_instructions_.push_back(&instruction);
  drain(slot);
  return tlm::TLM_COMPLETED;
}

/// The instruction that held a warp has come back; the next one may issue in the cycle in which it says so.
void warp_scheduler::release_held(warp_slot& slot, const isa::instruction& code, cycle_t visible) {
  const auto* const wait = std::get_if<isa::async_control_operation>(code.asynchronous.get());
  if (wait != nullptr && wait->control == isa::async_control::warpgroup_wait) asynchronous_[slot.warp->slot].waited(wait->pending);
  slot.holder = nullptr;
  slot.stalled_until = std::max(slot.stalled_until, visible);
  wake_for(slot, visible);
}

/// Whether an instruction has been issued by the warp that is in its slot, and has not come back yet. For assertions: it searches.
bool warp_scheduler::is_in_flight(const links::warp_instruction& instruction) const {
  const warp_slot& slot = slots_[instruction.warp->slot];
  const bool is_free = std::find(free_instructions_.begin(), free_instructions_.end(), &instruction) != free_instructions_.end();
  return slot.warp == instruction.warp && slot.in_flight > 0 && !is_free;
}

bool warp_scheduler::has_retired_all() const { return issued_ == retired_ && free_instructions_.size() == instructions_.size(); }

bool warp_scheduler::idle() const {
  return std::all_of(slots_.begin(), slots_.end(), [](const warp_slot& slot) { return slot.warp == nullptr; });
}

void warp_scheduler::reset() {
  slots_.assign(slots_.size(), warp_slot{});
  asleep_until_.assign(slots_.size(), links::unknown_cycle);
  candidates_.clear();
  std::fill(asynchronous_.begin(), asynchronous_.end(), asynchronous_registers{});
  scoreboard_ = make_scoreboard();
  selection_.reset();
  standstill_ = {};
  forecasts_ = {};
  starts_.reset();
  issued_ = retired_ = 0;
  issue_slots_.reset();
  awaited_ = {};
  counting_ = false;
  slot_accounted_ = 0;
  slot_cause_ = links::stall_cause::no_warp;
}

void warp_scheduler::collect(fabric::statistics_sink& sink) const {
  sink.count("issued", issued_, "instructions", "Instructions issued");
  sink.count("retired", retired_, "instructions", "Instructions retired");
  for (const links::stall_cause_info& row : links::stall_cause_table)
    if (row.cause != links::stall_cause::none)
      sink.cycles_of("empty", row.key, issue_slots_.slots()[row.cause], "Issue slots left empty for this cause");
  for (const links::result_source_info& row : links::result_source_table)
    sink.cycles_of("awaited", row.key, awaited_[index(row.source)], "Cycles of warps that waited for a result of this source");
}

}  // namespace tc::subcore
