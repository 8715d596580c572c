// SPDX-License-Identifier: Apache-2.0
#include "operand_collector.hpp"

#include <algorithm>

namespace tc::subcore {

operand_collector::operand_collector(const sc_core::sc_module_name& module_name, const params& parameters, const surroundings& around)
    : operand_fetch(module_name, around), params_(parameters), units_(parameters.units) {}

links::operand_timing operand_collector::timing() const { return {params_.issue_to_dispatch_cycles, 0, true}; }

/// What the unit would grant no place for stays in the scheduler, so that it keeps no collector unit from who must come first.
links::stall_cause operand_collector::missing_place(const isa::instruction& code, const warp::warp_context& warp) const {
  const auto on_the_way = std::count_if(units_.begin(), units_.end(), [&](const collector_unit& unit) {
    const links::warp_instruction* const other = unit.entry.instruction;
    return other != nullptr && other->warp == &warp && other->code().op == code.op;
  });
  return status_of(code).missing_place(code, warp, static_cast<unsigned>(on_the_way));
}

links::issue_forecast operand_collector::earliest_issue(const isa::instruction& code, const warp::warp_context& warp, cycle_t issue_cycle) {
  const links::stall_cause missing = missing_place(code, warp);
  if (missing != links::stall_cause::none) return {{links::unknown_cycle, missing}};
  links::availability result{links::unknown_cycle, links::stall_cause::collector_full};
  for (const collector_unit& unit : units_) {
    if (unit.entry.instruction != nullptr) continue;
    if (unit.free_from <= issue_cycle) return {{issue_cycle, links::stall_cause::none}};
    result.cycle = std::min(result.cycle, unit.free_from);
  }
  if (result.cycle == links::unknown_cycle) result.cause = cause_of_full_units(issue_cycle);
  return {result};
}

/// What holds the oldest instruction whose operands are there: more collector units would only let more of them wait for it.
links::stall_cause operand_collector::cause_of_full_units(cycle_t cycle) {
  const collector_unit* const oldest = oldest_ready(cycle, 0);
  if (oldest == nullptr) return links::stall_cause::collector_full;
  const links::availability unit = unit_availability(oldest->entry.instruction->code(), cycle);
  return unit.cycle > cycle ? unit.cause : links::stall_cause::collector_full;
}

void operand_collector::accept(links::warp_instruction& instruction) {
  const auto unit = std::find_if(units_.begin(), units_.end(), [&](const collector_unit& candidate) {
    return candidate.entry.instruction == nullptr && candidate.free_from <= instruction.issued;
  });
  sc_assert(unit != units_.end());  // the scheduler asked
  ++occupied_;
  unit->order = ++order_;
  unit->complete = false;
  // Units finish in any order, so a value in the reuse cache would not be that of the last instruction: the cache stays empty here.
  start(unit->entry, instruction, plans_.of(instruction.code(), instruction.warp->slot, cache_));
  instruction.dispatch = links::unknown_cycle;
  instruction.operands_read = links::unknown_cycle;
  read_banks(unit->entry, clock_.cycle() + 1);
}

/// The bank has said when the data arrive; the unit can dispatch from the cycle after on.
void operand_collector::gathered(gathering& entry) {
  auto& unit = *std::find_if(units_.begin(), units_.end(), [&](const collector_unit& candidate) { return &candidate.entry == &entry; });
  sc_assert(entry.instruction != nullptr && !unit.complete);
  unit.complete = true;
  entry.instruction->operands_read = entry.values_valid;
  gather_cycles_ += entry.values_valid - entry.instruction->issued;
  clock_.wake(clocked_id_, std::max(entry.values_valid, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

operand_collector::collector_unit* operand_collector::oldest_ready(cycle_t cycle, std::uint64_t after) {
  collector_unit* oldest = nullptr;
  for (collector_unit& unit : units_) {
    const bool ready = unit.entry.instruction != nullptr && unit.complete && unit.entry.values_valid <= cycle && unit.order > after;
    if (ready && (oldest == nullptr || unit.order < oldest->order)) oldest = &unit;
  }
  return oldest;
}

/// Memory instructions keep their order: what a store writes, a load or a barrier behind it must find. So do a warp's instructions for a
/// unit that works behind the warp: a commit is for those before it.
bool operand_collector::must_wait_for_order(const collector_unit& unit) const {
  const links::warp_instruction& instruction = *unit.entry.instruction;
  const links::unit_port port = links::port_of(instruction.code().op);
  if (port != links::unit_port::load_store && port != links::unit_port::warpgroup && port != links::unit_port::tensor_memory) return false;
  return std::any_of(units_.begin(), units_.end(), [&](const collector_unit& other) {
    const links::warp_instruction* const before = other.entry.instruction;
    if (before == nullptr || other.order >= unit.order || links::port_of(before->code().op) != port) return false;
    return port == links::unit_port::load_store || before->warp == instruction.warp;
  });
}

void operand_collector::evaluate(cycle_t cycle) {
  std::uint64_t after = 0;
  while (collector_unit* const unit = oldest_ready(cycle, after)) {
    after = unit->order;
    if (must_wait_for_order(*unit)) continue;
    const links::availability target = unit_availability(unit->entry.instruction->code(), cycle);
    if (target.cycle == cycle) {
      dispatch_unit(*unit, cycle);
    } else {
      ++dispatch_waits_;
      // A unit that cannot tell when it is free is asked again every cycle; those of this model can.
      clock_.wake(clocked_id_, target.cycle == links::unknown_cycle ? cycle + 1 : target.cycle);
    }
  }
  // A wake-up that was asked for while an earlier one was pending is lost, so what remains is asked for again.
  for (const collector_unit& unit : units_)
    if (unit.entry.instruction != nullptr && unit.complete && unit.entry.values_valid > cycle)
      clock_.wake(clocked_id_, unit.entry.values_valid);
}

void operand_collector::dispatch_unit(collector_unit& unit, cycle_t cycle) {
  unit.entry.instruction->dispatch = cycle;
  announce(unit.entry);
  dispatch_operands(unit.entry);
  unit.entry.instruction = nullptr;
  unit.free_from = cycle + 1;
  sc_assert(occupied_ > 0);
  --occupied_;
  scheduler->ask_again(cycle + 1);
}

void operand_collector::reset() {
  operand_fetch::reset();
  std::fill(units_.begin(), units_.end(), collector_unit{});
  order_ = 0;
  gather_cycles_ = dispatch_waits_ = 0;
}

void operand_collector::collect(fabric::statistics_sink& sink) const {
  operand_fetch::collect(sink);
  sink.cycles("gather_cycles", gather_cycles_, "Cycles that instructions spent gathering operands, added up");
  sink.count("dispatch_waits", dispatch_waits_, "attempts", "Attempts to dispatch to a unit that was busy");
}

}  // namespace tc::subcore
