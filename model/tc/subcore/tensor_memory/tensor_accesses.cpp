// SPDX-License-Identifier: Apache-2.0
#include "tensor_accesses.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/isa/warp_lanes.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/links/edge_stage.hpp>
#include <tc/subcore/tensor_memory/tensor_memory_reports.hpp>

namespace tc::subcore {

namespace {

constexpr std::uint32_t all_lanes = isa::all_warp_lanes;

const isa::tensor_wait_operation& wait_of(const links::warp_instruction& instruction) {
  return std::get<isa::tensor_wait_operation>(*isa::tcgen05_of(instruction.code()));
}

/// Those in the register banks.
std::uint64_t registers_of(const isa::tensor_access_operation& operation) {
  return operation.registers.size() -
         static_cast<std::size_t>(std::count(operation.registers.begin(), operation.registers.end(), isa::zero_register));
}

}  // namespace

tensor_accesses::tensor_accesses(const sc_core::sc_module_name& module_name, const params& parameters, const register_mapping& mapping,
                                 definedness& shadow, fabric::clock_domain& clock, done_callback done)
    : sc_module(module_name),
      accumulator("accumulator"),
      chunk("chunk", [this](auto& payload, const auto& delay) { answered(payload, delay); }),
      params_(parameters),
      mapping_(mapping),
      shadow_(shadow),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::memory)),
      done_(std::move(done)),
      warps_(parameters.warp_slots) {
  accumulator.init(mapping.banks());
  for (auto& link : accumulator) link.register_nb_transport_bw(this, &tensor_accesses::bank_answered);
}

tensor_accesses::~tensor_accesses() = default;

tensor_accesses::access& tensor_accesses::new_access(links::warp_instruction& instruction) {
  if (free_.empty()) {
    accesses_.push_back(std::make_unique<access>());
    free_.push_back(accesses_.back().get());
  }
  access& next = *free_.back();
  free_.pop_back();
  next.instruction = &instruction;
  next.operation = &std::get<isa::tensor_access_operation>(*isa::tcgen05_of(instruction.code()));
  next.is_dispatched = next.has_registers = next.is_answered = next.has_failed = false;
  next.complete = 0;
  return next;
}

cycle_t tensor_accesses::earliest_dispatch(cycle_t wanted) const {
  if (admitted_.size() < params_.admission.instructions) return wanted;
  return std::max(wanted, admitted_.front() + params_.admission.cycles);
}

/// A load needs nothing but its address and goes to the chunk in the cycle of its dispatch; a store needs its registers, and follows one
/// cycle later.
void tensor_accesses::announce(links::warp_instruction& instruction) {
  access& next = new_access(instruction);
  ++(next.operation->load ? loads_ : stores_);
  (next.operation->load ? registers_written_ : registers_read_) += registers_of(*next.operation);
  ++history_of(next).under_way;
  if (admitted_.size() == params_.admission.instructions) admitted_.pop_front();
  admitted_.push_back(instruction.dispatch);
  queue_.push_back(&next);
  not_dispatched_.push_back(&next);
  if (next.operation->load) clock_.wake(clocked_id_, std::max(instruction.dispatch - 1, clock_.edge_at(sc_core::SC_ZERO_TIME)));
}

void tensor_accesses::begin(links::warp_instruction& instruction) {
  const auto found =
      std::find_if(not_dispatched_.begin(), not_dispatched_.end(), [&](const access* each) { return each->instruction == &instruction; });
  access& owner = **found;
  not_dispatched_.erase(found);
  owner.is_dispatched = true;
  if (owner.operation->load) {
    if (owner.is_answered) load_registers(owner);
    return send_due();
  }
  if (!params_.data) return registers_moved(owner);
  report_undefined(owner);
  owner.rows.arrange(mapping_, instruction.warp->slot, owner.operation->registers);
  move_registers(owner, tlm::TLM_READ_COMMAND, clock_.cycle());
}

/// Nobody has given these registers the values that a store takes.
void tensor_accesses::report_undefined(const access& store) {
  shadow_.settle(store.instruction->warp->slot, clock_.cycle());
  for (const std::uint8_t reg : store.operation->registers) {
    if (reg == isa::zero_register) continue;
    const undefined_value undefined = shadow_.of(store.instruction->warp->slot, isa::register_file::vector, reg, 1);
    if (undefined.lanes != 0) return observer->undefined_value(*store.instruction, undefined.origin);
  }
}

bool tensor_accesses::is_due(const access& next) const {
  return next.operation->load ? next.is_dispatched || next.instruction->dispatch <= clock_.cycle() + 1 : next.has_registers;
}

void tensor_accesses::send_due() {
  while (!queue_.empty() && is_due(*queue_.front())) {
    access& next = *queue_.front();
    queue_.pop_front();
    send(next);
  }
  if (!queue_.empty() && queue_.front()->operation->load) clock_.wake(clocked_id_, queue_.front()->instruction->dispatch - 1);
}

/// Why the access breaks a rule, empty if it does not; then it is `found`.
std::string tensor_accesses::mistake_in(const isa::tensor_access_operation& operation, const warp::warp_context& warp,
                                        isa::tensor_access& found) const {
  if (std::string mistake = isa::tensor_address_mistake(operation.address); !mistake.empty()) return mistake;
  found = {operation.shape, operation.repeat, operation.packed, isa::decode_tensor_address(operation.address), operation.half_offset};
  if (std::string mistake = isa::tensor_access_mistake(found, warp.warp_in_cta); !mistake.empty()) return mistake;
  for (const isa::column_range& columns : isa::columns(found))
    if (!owners->has_allocated(warp, columns))
      return fmt::format("columns {} to {} are not all allocated to CTA {}: tcgen05.alloc comes first", columns.first,
                         columns.first + columns.count - 1, warp.cta);
  return {};
}

void tensor_accesses::send(access& next) {
  const links::warp_instruction& instruction = *next.instruction;
  const cycle_t arrival = std::max(instruction.dispatch, clock_.edge_at(sc_core::SC_ZERO_TIME));
  isa::tensor_access what;
  if (const std::string mistake = mistake_in(*next.operation, *instruction.warp, what); !mistake.empty()) {
    next.has_failed = true;
    next.complete = arrival;
    report(report::tensor_memory_access, next, mistake);
    return chunk_done(next);
  }
  next.cells.begin(what);
  if (order.size() > 0) {
    std::vector<isa::tensor_cells> cells;
    for (unsigned part = 0; part < next.cells.parts(); ++part) cells.push_back(next.cells.cells(part));
    history_of(next).unsettled.push_back(
        order->access_begins({instruction.warp, instruction.step.code, instruction.step.line}, next.operation->load, cells, arrival));
  }
  if (params_.data && !next.operation->load)
    for (std::size_t row = 0; row < next.rows.size(); ++row) next.cells.put(next.rows.number(row), next.rows[row]);
  next.outstanding = 1;  // one for this function
  for (unsigned part = 0; part < next.cells.parts(); ++part) {
    tlm::tlm_generic_payload& payload = pool_.get();
    next.cells.set_transaction(payload, part, next.operation->load ? tlm::TLM_READ_COMMAND : tlm::TLM_WRITE_COMMAND);
    fabric::owner_tag<access>::of(payload).job = &next;
    fabric::warp_tag::mark(payload, instruction.warp->slot, instruction.record);
    fabric::undefined_bytes::of(payload).any = false;
    ++next.outstanding;
    chunk.send(payload, clock_.delay_to(arrival));
  }
  if (--next.outstanding == 0) chunk_done(next);
}

void tensor_accesses::answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  access& owner = *fabric::owner_tag<access>::of(payload).job;
  owner.complete = std::max(owner.complete, links::arrival_cycle(clock_, delay));
  if (payload.is_response_error()) {
    owner.has_failed = true;
    report(report::tensor_memory_response, owner, "tensor memory answered " + payload.get_response_string());
  } else if (owner.operation->load && params_.data) {
    owner.cells.note_undefined(payload);
  }
  payload.release();
  if (--owner.outstanding == 0) chunk_done(owner);
}

/// A load is not done before its dispatch, which the operand fetch has still to come to.
void tensor_accesses::chunk_done(access& owner) {
  owner.is_answered = true;
  if (!owner.operation->load) return finish(owner);
  if (owner.is_dispatched) load_registers(owner);
}

void tensor_accesses::load_registers(access& load) {
  if (!params_.data) return finish(load);
  const links::warp_instruction& instruction = *load.instruction;
  const std::uint32_t slot = instruction.warp->slot;
  const cycle_t visible = std::max(load.complete, clock_.cycle() + 1);
  load.rows.arrange(mapping_, slot, load.operation->registers);
  for (std::size_t row = 0; row < load.rows.size(); ++row) {
    const unsigned reg = load.rows.number(row);
    load.rows[row] = load.has_failed ? warp::lane_vector{} : load.cells.get(reg);
    const std::uint32_t undefined = load.has_failed ? all_lanes : load.cells.undefined(reg);
    shadow_.written_from(visible, slot, isa::register_file::vector, load.operation->registers[reg], 1, all_lanes,
                         {undefined, {&instruction.code(), instruction.step.line}});
  }
  move_registers(load, tlm::TLM_WRITE_COMMAND, visible);
}

void tensor_accesses::move_registers(access& owner, tlm::tlm_command command, cycle_t arrival) {
  owner.outstanding = 1;  // one for this function
  for (const register_rows::bank_ranges& of_bank : owner.rows.banks()) {
    bank_access& moved = registers_.get();
    owner.rows.set(moved, of_bank, command, arrival);
    moved.record = owner.instruction->record;
    moved.owner = &owner;
    ++owner.outstanding;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    if (accumulator[of_bank.bank].send(moved, phase) != tlm::TLM_ACCEPTED) bank_done(moved);
  }
  if (--owner.outstanding == 0) registers_moved(owner);
}

tlm::tlm_sync_enum tensor_accesses::bank_answered(links::bank_transfer& moved, tlm::tlm_phase&, sc_core::sc_time&) {
  bank_done(static_cast<bank_access&>(moved));
  return tlm::TLM_COMPLETED;
}

void tensor_accesses::bank_done(bank_access& moved) {
  access& owner = *moved.owner;
  const tlm::tlm_response_status status = moved.status;
  registers_.put_back(moved);
  if (status != tlm::TLM_OK_RESPONSE) report(report::tensor_memory_bank, owner, "a register bank answered " + links::name_of(status));
  if (--owner.outstanding == 0) registers_moved(owner);
}

void tensor_accesses::registers_moved(access& owner) {
  if (owner.operation->load) return finish(owner);
  owner.has_registers = true;
  send_due();
}

void tensor_accesses::finish(access& done) {
  links::warp_instruction& instruction = *done.instruction;
  warp_state& state = state_of(instruction);
  history& accesses = history_of(done);
  --accesses.under_way;
  accesses.complete = std::max(accesses.complete, done.complete);
  free_.push_back(&done);
  done_(instruction, std::max(done.complete, clock_.cycle() + 1));
  release(state);
}

void tensor_accesses::wait(links::warp_instruction& instruction) {
  warp_state& state = state_of(instruction);
  state.waiting = &instruction;
  release(state);
}

/// Lets a warp go on that waits, as soon as it is time.
void tensor_accesses::release(warp_state& state) {
  if (state.waiting == nullptr) return;
  const bool loads = wait_of(*state.waiting).loads;
  history& accesses = loads ? state.loads : state.stores;
  if (accesses.under_way != 0) return;
  const cycle_t ahead = loads ? state.waiting->dispatch - state.waiting->issued : 0, next = clock_.cycle() + 1;
  const cycle_t resumes = std::max(accesses.complete > ahead ? accesses.complete - ahead : 0, next);
  if (resumes > next) return clock_.wake(clocked_id_, resumes - 1);
  settle(accesses);
  done_(*std::exchange(state.waiting, nullptr), resumes);
}

void tensor_accesses::settle(history& accesses) {
  for (const std::uint64_t number : accesses.unsettled) order->access_settled(number);
  accesses.unsettled.clear();
}

void tensor_accesses::warp_ended(unsigned warp_slot) {
  warp_state& state = warps_[warp_slot];
  settle(state.loads);
  settle(state.stores);
}

void tensor_accesses::evaluate(cycle_t) {
  send_due();
  for (warp_state& state : warps_) release(state);
}

void tensor_accesses::report(const char* type, const access& owner, const std::string& text) const {
  const warp::warp_step& step = owner.instruction->step;
  fabric::fault(type, *this, clock_.cycle(), fmt::format("line {}: {}: {}", step.line, step.code->text, text));
}

void tensor_accesses::reset() {
  admitted_.clear();
  std::fill(warps_.begin(), warps_.end(), warp_state{});
  loads_ = stores_ = registers_read_ = registers_written_ = 0;
}

void tensor_accesses::collect(fabric::statistics_sink& sink) const {
  sink.count("loads", loads_, "instructions", "Loads of tensor memory");
  sink.count("stores", stores_, "instructions", "Stores to tensor memory");
  sink.count("registers_read", registers_read_, "registers", "Registers that stores read from the banks");
  sink.count("registers_written", registers_written_, "registers", "Registers that loads write to the banks");
}

}  // namespace tc::subcore
