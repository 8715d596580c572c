#include <algorithm>

#include <tc/subcore/port_reservation.hpp>

namespace tc::subcore {

port_reservation::port_reservation(const sc_core::sc_module_name& module_name, const params& parameters, const register_mapping& mapping,
                                   side_registers& side, definedness& shadow, fabric::clock_domain& clock)
    : operand_fetch(module_name, parameters, mapping, side, shadow, clock) {}

const operand_plan& port_reservation::plan_of(const isa::instruction& code, std::uint32_t warp_slot) {
  if (planned_.code != &code || planned_.warp_slot != warp_slot || planned_.instructions != instructions_)
    planned_ = {&code, warp_slot, instructions_, plan_operands(code, warp_slot, mapping_, cache_)};
  return planned_.plan;
}

availability port_reservation::earliest_issue(const isa::instruction& code, const warp_context& warp, cycle_t issue_cycle) {
  const operand_plan& plan = plan_of(code, warp.slot);
  availability result{issue_cycle, stall_cause::none};
  for (unsigned bank = 0; bank < mapping_.banks(); ++bank) {
    const cycle_t reads = port_cycles(plan.registers_of_bank[bank]);
    if (reads == 0) continue;
    const cycle_t span = std::max<cycle_t>(params_.fetch.read_window_cycles, reads);
    if (port_free_[bank] + reads > result.cycle + span) result = {port_free_[bank] + reads - span, stall_cause::bank_conflict};
  }
  const cycle_t fetch_cycles = dispatch_cycles(code);
  const availability unit = unit_availability(code, result.cycle + fetch_cycles);
  if (unit.cycle == unknown_cycle) return unit;
  if (unit.cycle > result.cycle + fetch_cycles) result = {unit.cycle - fetch_cycles, unit.cause};
  return result;
}

port_reservation::gathering& port_reservation::new_entry() {
  if (free_.empty()) {
    entries_.push_back(std::make_unique<gathering>());
    free_.push_back(entries_.back().get());
  }
  gathering& entry = *free_.back();
  free_.pop_back();
  return entry;
}

void port_reservation::accept(warp_instruction& instruction) {
  gathering& entry = new_entry();
  entry.instruction = &instruction;
  entry.plan = plan_of(instruction.code(), instruction.warp->slot);
  instruction.sources = entry.plan.sources;
  reuse_hits_ += entry.plan.reuse_hits;
  use_reuse_cache(instruction.code(), instruction.warp->slot, mapping_, cache_);
  for (unsigned bank = 0; bank < mapping_.banks(); ++bank) {
    const cycle_t reads = port_cycles(entry.plan.registers_of_bank[bank]);
    if (reads != 0) port_free_[bank] = std::max(port_free_[bank], instruction.issued) + reads;
  }
  instruction.dispatch = instruction.issued + dispatch_cycles(instruction.code());
  instruction.operands_read = instruction.dispatch;
  announce(instruction);
  in_order_.push_back(&entry);
  clock_.wake(clocked_id_, instruction.dispatch);
}

/// Reads and dispatches in issue order. Banks of this model answer in the call; behind a bank that does not, everybody waits.
void port_reservation::evaluate(cycle_t cycle) {
  while (!in_order_.empty() && !reading_ && in_order_.front()->instruction->dispatch <= cycle) {
    gathering& entry = *in_order_.front();
    reading_ = true;
    if (params_.data)
      read_banks(entry, sc_core::SC_ZERO_TIME);
    else
      gathered(entry);
  }
  // A wake-up that was asked for while an earlier one was pending is lost, so what remains is asked for again.
  if (!in_order_.empty() && !reading_) clock_.wake(clocked_id_, in_order_.front()->instruction->dispatch);
}

void port_reservation::gathered(gathering& entry) {
  const bool late = entry.instruction->dispatch < clock_.cycle();
  dispatch_operands(entry);
  in_order_.erase(in_order_.begin());
  free_.push_back(&entry);
  reading_ = false;
  if (late && !in_order_.empty())
    clock_.wake(clocked_id_, std::max(in_order_.front()->instruction->dispatch, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

}  // namespace tc::subcore
