// SPDX-License-Identifier: Apache-2.0
#include "port_reservation.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>

namespace tc::subcore {

void results_in_flight::add(const links::warp_instruction& instruction, cycle_t readable) {
  for (const isa::register_use& write : instruction.code().writes) {
    if (write.file != isa::register_file::vector) continue;
    ring_[next_++ % entries] = {readable, instruction.warp->slot, write.index, write.count};
    latest_ = std::max(latest_, readable);
  }
}

cycle_t results_in_flight::readable(std::uint32_t warp_slot, unsigned index) const {
  for (std::size_t age = 1; age <= entries && age <= next_; ++age) {
    const entry& written = ring_[(next_ - age) % entries];
    if (written.warp_slot == warp_slot && index >= written.first && index - written.first < written.count) return written.readable;
  }
  return 0;
}

namespace {

/// The instruction that takes most registers (PTX ISA, mma.sync). All of an operand lie in one bank where there is only one.
constexpr isa::mma_operation largest_operation{
    16, 8, 16, isa::element_type::f64, isa::element_type::f64, isa::element_type::f64, isa::element_type::f64};
/// Cycles from its issue to behind its last booking, less those from the reads of B to the write port.
constexpr cycle_t booked_cycles = allocate_stage::from_issue + 2 * largest_operation.a_registers() + largest_operation.c_registers();
static_assert(booked_cycles + config::maximum_matrix_write_cycles <= cycle_set::days);

}  // namespace

port_reservation::port_reservation(const sc_core::sc_module_name& module_name, const params& parameters, const surroundings& around)
    : operand_fetch(module_name, around),
      params_(parameters),
      late_(around.late),
      ports_({around.registers.banks(), parameters.read_ports}),
      stage_(ports_, parameters.read_window_cycles),
      kept_({around.reuse_cache.enabled, matrix_operands_kept}, 1) {}

const operand_plan& port_reservation::plan_of(const isa::instruction& code, std::uint32_t warp_slot) {
  return plans_.of(code, warp_slot, cache_of(code));
}

links::standstill port_reservation::standstill_at(cycle_t cycle) {
  stage_.advance(cycle);
  return {stage_.stands_still(), stage_.lost_cycles()};
}

void port_reservation::warp_launched(const warp::warp_context& warp) {
  operand_fetch::warp_launched(warp);
  kept_.forget(warp.slot);
  if (warp.slot >= questions_.size()) questions_.resize(warp.slot + 1);
  questions_[warp.slot] = {};
}

void port_reservation::reset() {
  operand_fetch::reset();
  ports_.reset();
  stage_.reset();
  results_ = {};
  questions_.clear();
  lost_before_.fill(0);
  kept_.reset();
}

void port_reservation::tell(links::operand_observer* listener) {
  operand_fetch::tell(listener);
  stage_.tell(listener);
  if (listener != nullptr) listener->ports_are_booked();
}

void port_reservation::renew(question& asked, const isa::instruction& code) {
  asked.code = &code;
  asked.unit = &status_of(code);
  asked.port = static_cast<unsigned>(links::port_of(code.op));
  asked.fetch_cycles = dispatch_cycles(code);
  asked.is_matrix = isa::is_mma(code.op);
  asked.is_queued = isa::is_queued(code.op);
  asked.cache_changes = no_changes;
}

// What earliest_issue() seldom comes to is apart from it, so that the rest needs few registers of the host.

/// Finds the kind of a matrix instruction with the reuse cache as it is.
[[gnu::noinline]] void port_reservation::find_kind(question& asked, std::uint32_t warp_slot) {
  asked.cache_changes = matrix_cache_.changes();
  asked.kind = &kind_of(plans_.of(*asked.code, warp_slot, matrix_cache_));
  if (asked.kind->numbered_at == asked.cache_changes) return;
  asked.kind->numbered_at = asked.cache_changes;
  asked.kind->number = ++last_number_;
}

port_reservation::matrix_kind& port_reservation::add_kind(const operand_plan& plan) {
  if (plan.kind >= kinds_.size()) kinds_.resize(plan.kind + std::size_t{1});
  kinds_[plan.kind] = std::make_unique<matrix_kind>();
  ports_.find_spare(plan, params_.read_window_cycles, kinds_[plan.kind]->spare);
  return *kinds_[plan.kind];
}

/// When such an instruction could issue for all that its unit says. Units of fixed latency move with the front end: a standstill keeps
/// their inputs as long as it lasts.
[[gnu::noinline]] links::availability port_reservation::unit_free(const question& asked, const warp::warp_context& warp,
                                                                  cycle_t issue_cycle) const {
  const links::stall_cause missing = asked.unit->missing_place(*asked.code, warp, 0);
  if (missing != links::stall_cause::none) return {links::unknown_cycle, missing};
  const cycle_t wanted = asked.is_queued ? issue_cycle + asked.fetch_cycles : wanted_dispatch(asked, issue_cycle);
  const links::availability unit = unit_availability(*asked.unit, *asked.code, wanted);
  return {unit.cycle == links::unknown_cycle ? links::unknown_cycle : unit.cycle - wanted + issue_cycle, unit.cause};
}

/// The same of a matrix instruction.
links::availability port_reservation::tensor_free(const question& asked, cycle_t issue_cycle) const {
  const cycle_t wanted = wanted_dispatch(asked, issue_cycle);
  const links::availability unit = unit_availability(*asked.unit, *asked.code, wanted);
  if (unit.cycle <= wanted) return {issue_cycle, links::stall_cause::none, unit.is_for_now};
  const bool is_known = unit.cycle != links::unknown_cycle;
  return {is_known ? unit.cycle - wanted + issue_cycle : links::unknown_cycle, unit.cause, unit.is_for_now};
}

/// For a matrix instruction only others that issue change something, or the stages behind them, if there is an instruction in them.
links::issue_forecast port_reservation::earliest_issue(const isa::instruction& code, const warp::warp_context& warp, cycle_t issue_cycle) {
  question& asked = questions_[warp.slot];
  if (asked.code != &code) renew(asked, code);
  if (!asked.is_matrix) return unit_free(asked, warp, issue_cycle);
  if (asked.cache_changes != matrix_cache_.changes()) find_kind(asked, warp.slot);
  const links::availability ports{ports_.earliest_matrix_issue(asked.kind->spare), links::stall_cause::bank_conflict};
  const links::availability unit = tensor_free(asked, issue_cycle);
  return {links::later_of(ports, unit), stage_.is_occupied() || unit.is_for_now ? 0 : asked.kind->number};
}

void port_reservation::take_ports(const links::warp_instruction& instruction, const operand_plan& plan) {
  const isa::instruction& code = instruction.code();
  if (isa::is_queued(code.op)) return;
  lost_before_[static_cast<unsigned>(links::port_of(code.op))] = stage_.lost_cycles();
  if (isa::is_mma(code.op)) {
    ports_.queue_matrix_reads(plan, instruction.issued);
    if (params_.matrix_ports) take_matrix_ports(instruction, plan.bookings);
    return;
  }
  stage_.enter(demand_of(instruction, plan));
}

/// The registers that an instruction of fixed latency reads, and its latches. A result that will come too late for it is not waited for:
/// the instruction reads what was there before.
allocate_stage::demand port_reservation::demand_of(const links::warp_instruction& instruction, const operand_plan& plan) const {
  const isa::instruction& code = instruction.code();
  const std::uint32_t warp_slot = instruction.warp->slot;
  const cycle_t moved = instruction.issued - stage_.lost_cycles();  // cycles in which the front end moved
  const cycle_t window_end = moved + allocate_stage::from_issue + params_.read_window_cycles - 1;
  allocate_stage::demand needs;
  needs.reader = {instruction.record, warp_slot};
  for (unsigned r = 0; r < plan.read_count; ++r) {
    const operand_plan::bank_read& read = plan.reads[r];
    const cycle_t readable = results_.any(moved) ? results_.readable(warp_slot, read.index) : 0;
    needs.read({read.bank, read.slot, read.registers, readable <= window_end ? readable : 0, read.index});
  }
  for (unsigned s = 0; s < code.source_count; ++s) {
    const isa::operand& source = code.sources[s];
    if (source.slot >= allocate_stage::operand_slots || !source.is_register(isa::register_file::vector) ||
        source.index == isa::zero_register)
      continue;
    for (unsigned i = 0; i < source.count && i < mapping_.banks(); ++i)
      needs.use_latch(source.slot, mapping_.bank(warp_slot, source.index + i));
  }
  needs.has_result = std::any_of(code.writes.begin(), code.writes.end(),
                                 [](const isa::register_use& use) { return use.file == isa::register_file::vector; });
  return needs;
}

/// An instruction as close behind as the latency allows reads the result in the last cycle of its window. Results of matrix instructions
/// narrowed no window in the recordings, and what reads those of queued instructions has waited for a dependence counter.
void port_reservation::note_result(const links::warp_instruction& instruction) {
  const isa::opcode op = instruction.code().op;
  if (isa::is_queued(op) || isa::is_mma(op) || instruction.result == 0) return;
  const cycle_t read = instruction.result + allocate_stage::from_issue + params_.read_window_cycles - 1 - params_.issue_to_dispatch_cycles;
  results_.add(instruction, read - stage_.lost_cycles());
}

/// True if the tensor core has this operand; remembers what it keeps now.
bool port_reservation::is_kept(unsigned source, const links::warp_instruction& instruction) {
  const isa::operand& operand = instruction.code().sources[source];
  if (kept_.is_empty() && !operand.reuse) return false;
  const bool hit = kept_.holds(source, 0, instruction.warp->slot, operand.index);
  kept_.use(source, 0, instruction.warp->slot, operand.index, operand.reuse);
  return hit;
}

void port_reservation::take_matrix_ports(const links::warp_instruction& instruction, const matrix_bookings& bookings) {
  const cycle_t allocate = instruction.issued + allocate_stage::from_issue;
  ports_.pass_to(instruction.issued);
  for (unsigned source = 0; source < bookings.reads.size(); ++source) {
    if (source < matrix_operands_kept && is_kept(source, instruction)) continue;
    const matrix_bookings::operand& operand = bookings.reads[source];
    for (unsigned bank = 0; bank < mapping_.banks(); ++bank) ports_.take_reads(bank, operand.reads_of(bank).later(allocate));
  }
  const bool is_integer = instruction.code().mma->d == isa::element_type::s32;
  const cycle_t behind = is_integer ? params_.matrix_integer_write_cycles : params_.matrix_write_cycles;
  ports_.take_writes({allocate + bookings.reads_end + behind, bookings.write_cycles});
}

void port_reservation::accept(links::warp_instruction& instruction) {
  gathering& entry = entries_.get();
  const operand_plan& plan = plan_of(instruction.code(), instruction.warp->slot);
  start(entry, instruction, plan);
  update_reuse_caches(instruction.code(), instruction.warp->slot, plan);
  take_ports(instruction, plan);
  instruction.dispatch = instruction.issued + dispatch_cycles(instruction.code());
  instruction.operands_read = instruction.dispatch;
  if (told_ != nullptr && isa::is_mma(instruction.code().op)) tell_reads(entry);
  announce(entry);
  note_result(instruction);
  put_in_order(entry);
  clock_.wake(clocked_id_, instruction.dispatch);
  if (told_ != nullptr) follow_stages(instruction.issued);
}

/// Most often it is the last.
void port_reservation::put_in_order(gathering& entry) {
  fabric::make_room(in_order_);
  const cycle_t at_unit = entry.instruction->dispatch;
  const auto is_before = [](cycle_t cycle, const gathering* other) { return cycle < other->instruction->dispatch; };
  if (in_order_.empty() || in_order_.back()->instruction->dispatch <= at_unit)
    in_order_.push_back(&entry);
  else
    in_order_.insert(std::upper_bound(in_order_.begin(), in_order_.end(), at_unit, is_before), &entry);
}

void port_reservation::evaluate(cycle_t cycle) {
  if (told_ != nullptr) follow_stages(cycle);
  if (std::exchange(is_late_, false)) leave(*in_order_.front());
  serve();
}

/// Moves the stages in each cycle in which there is something in them, for a listener that wants to hear of each; by themselves they move
/// only when they are asked.
void port_reservation::follow_stages(cycle_t cycle) {
  stage_.advance(cycle);
  if (stage_.is_occupied()) clock_.wake(clocked_id_, cycle + 1);
}

/// Those of a matrix instruction have their place in the queue, as it issues; a queued instruction reads when it is dispatched.
void port_reservation::tell_reads(const gathering& entry) const {
  const bool is_matrix = isa::is_mma(entry.instruction->code().op);
  const operand_plan& plan = *entry.plan;
  std::array<unsigned, operand_plan::max_banks> told{};
  for (unsigned r = 0; r < plan.read_count; ++r) {
    const operand_plan::bank_read& read = plan.reads[r];
    const cycle_t first =
        is_matrix ? ports_.matrix_reads_end(read.bank) - ports_.read_cycles(plan.registers_of_bank[read.bank]) : clock_.cycle();
    const cycle_t begin = first + told[read.bank] / params_.read_ports;
    told[read.bank] += read.registers;
    told_->port_granted({entry.instruction->record, entry.instruction->warp->slot}, {read.bank, read.index, read.registers}, begin,
                        begin + ports_.read_cycles(read.registers));
  }
}

/// Reads and dispatches in the order in which the operands arrive at the units. Behind a bank that does not answer in the call all
/// wait.
void port_reservation::serve() {
  serving_ = true;
  while (is_next_free() && in_order_.front()->instruction->dispatch <= clock_.cycle()) {
    gathering& entry = *in_order_.front();
    reading_ = true;
    if (told_ != nullptr && isa::is_queued(entry.instruction->code().op)) tell_reads(entry);
    if (data_)
      read_banks(entry, clock_.cycle());
    else
      gathered(entry);
  }
  serving_ = false;
  // A wake-up that was asked for while an earlier one was pending is lost, so what remains is asked for again.
  if (is_next_free()) clock_.wake(clocked_id_, in_order_.front()->instruction->dispatch);
}

/// What follows has been timed without the delay of values that are late. They come to their unit in a later edge, for its books alone.
void port_reservation::gathered(gathering& entry) {
  const links::warp_instruction& instruction = *entry.instruction;
  if (!serving_) entry.values_valid = std::max(entry.values_valid, links::next_cycle(clock_));  // in a call of the bank, at any time
  if (!data_ || entry.values_valid <= instruction.dispatch) {
    leave(entry);
  } else {
    is_late_ = true;
    bring_operands(entry);
    clock_.wake(clocked_id_, clock_.edge_at(sc_core::SC_ZERO_TIME));
    report(fabric::report::operand_fetch_late, instruction,
           fmt::format("a register bank has the values in cycle {}, but the unit takes them in cycle {}", entry.values_valid,
                       instruction.dispatch));
  }
  reading_ = false;
  if (!serving_) serve();
}

/// The first one's operands go to its unit.
void port_reservation::leave(gathering& entry) {
  in_order_.pop_front();
  dispatch_operands(entry);
  entries_.put_back(entry);
}

}  // namespace tc::subcore
