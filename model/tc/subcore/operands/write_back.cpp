// SPDX-License-Identifier: Apache-2.0
#include "write_back.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/isa/warp_lanes.hpp>

namespace tc::subcore {

namespace {

/// The lane that speaks for a warp where it computes one value: the first active one.
unsigned first_lane(std::uint32_t mask) {
  unsigned lane = 0;
  while ((mask >> lane & 1u) == 0) ++lane;
  return lane;
}

}  // namespace

write_back::write_back(const sc_core::sc_module_name& module_name, const register_mapping& mapping, unsigned write_ports, bool data,
                       side_registers& side, definedness& shadow, fabric::clock_domain& clock)
    : sc_module(module_name),
      bank_write("bank_write"),
      mapping_(mapping),
      write_ports_(write_ports),
      data_(data),
      side_(side),
      shadow_(shadow),
      clock_(clock),
      ports_(mapping.banks()) {
  bank_write.init(mapping.banks());
  for (auto& link : bank_write) link.register_nb_transport_bw(this, &write_back::bank_answered);
  result.serve<&write_back::arrived>(*this);
}

write_back::~write_back() = default;

unsigned write_back::port_calendar::rows(cycle_t cycle) const {
  const day& entry = days_[cycle % span_cycles];
  return entry.turn == turn_of(cycle) ? entry.rows : 0;
}

bool write_back::port_calendar::has_room(cycle_t cycle, unsigned registers, unsigned ports) const {
  for (; registers > 0; ++cycle) {
    if (rows(cycle) >= ports) return false;
    registers -= std::min(registers, ports - rows(cycle));
  }
  return true;
}

/// Those of more than one cycle.
bool write_back::port_calendar::take_several(cycle_t cycle, unsigned registers, unsigned ports) {
  bool had_room = true;
  for (; registers > 0; ++cycle) {
    day& entry = days_[cycle % span_cycles];
    const unsigned taken = entry.turn == turn_of(cycle) ? entry.rows : 0, now = std::min(registers, taken < ports ? ports - taken : 0);
    had_room = had_room && now > 0;
    entry = {turn_of(cycle), taken + now};
    registers -= now;
  }
  return had_room;
}

tlm::tlm_sync_enum write_back::arrived(links::warp_instruction& instruction, tlm::tlm_phase&, sc_core::sc_time&) {
  const cycle_t visible = reserve_ports(instruction, instruction.result);
  instruction.result = visible;
  ++results_;
  if (instruction.step.mask != 0) {
    count_registers(instruction);
    for (unsigned d = 0; data_ && d < instruction.code().destination_count; ++d) write_destination(instruction, d, visible);
  }
  links::hand_on(retire, instruction);
  return tlm::TLM_COMPLETED;
}

/// Books the write ports of the vector destinations; returns when the result is visible. A result whose cycle was promised at issue comes
/// then; another of a queued unit waits for a port. What comes from tensor memory went to the banks over their accumulator port.
cycle_t write_back::reserve_ports(const links::warp_instruction& instruction, cycle_t visible) {
  if (isa::unit_of(instruction.code().op) == isa::execution_unit::tensor_memory) return visible;
  const bool queued = isa::is_queued(instruction.code().op) && !instruction.result_known();
  cycle_t* const last = queued ? last_in_order(isa::unit_of(instruction.code().op)) : nullptr;
  if (last != nullptr) visible = std::max(visible, *last);
  const unsigned warp_slot = instruction.warp->slot;
  for (const isa::register_use& use : instruction.code().writes) {
    if (use.file != isa::register_file::vector) continue;
    if (queued && !has_room(warp_slot, use, visible)) {
      ++port_conflicts_;
      ++delayed_results_;
      while (!has_room(warp_slot, use, visible)) ++visible;
    }
    if (!take_ports(warp_slot, use, visible)) ++port_conflicts_;
  }
  if (last != nullptr) *last = visible;
  return visible;
}

/// When the last result of a queued unit is visible whose results stay in order, whatever ports they wait for: compiled code lets only the
/// last of several instructions announce that all have come. Null for the others, memories, where each result comes for itself.
cycle_t* write_back::last_in_order(isa::execution_unit unit) {
  const bool is_in_order =
      unit == isa::execution_unit::special_function || unit == isa::execution_unit::fp64 || unit == isa::execution_unit::system;
  return is_in_order ? &last_results_[static_cast<std::size_t>(unit)] : nullptr;
}

/// Returns has_room() of before.
bool write_back::take_ports(unsigned warp_slot, const isa::register_use& use, cycle_t cycle) {
  bool had_room = true;
  const unsigned banks = mapping_.banks(), first = mapping_.bank(warp_slot, use.index);
  for (unsigned i = 0; i < std::min<unsigned>(use.count, banks); ++i) {
    port_calendar& calendar = ports_[(first + i) & (banks - 1)];
    had_room = calendar.take(cycle, mapping_.registers_in_bank(use.count, i), write_ports_) && had_room;
  }
  return had_room;
}

bool write_back::has_room(unsigned warp_slot, const isa::register_use& use, cycle_t cycle) const {
  for (unsigned i = 0; i < use.count && i < mapping_.banks(); ++i)
    if (!ports_[mapping_.bank(warp_slot, use.index + i)].has_room(cycle, mapping_.registers_in_bank(use.count, i), write_ports_))
      return false;
  return true;
}

void write_back::count_registers(const links::warp_instruction& instruction) {
  for (unsigned d = 0; d < instruction.code().destination_count; ++d) {
    const isa::operand& destination = instruction.code().destinations[d];
    const bool is_vector = destination.what == isa::operand::kind::reg && destination.file == isa::register_file::vector;
    if (is_vector && destination.index != isa::zero_register) registers_written_ += destination.count;
  }
}

void write_back::write_destination(const links::warp_instruction& instruction, unsigned d, cycle_t visible) {
  const isa::operand& destination = instruction.code().destinations[d];
  const std::uint32_t slot = instruction.warp->slot, mask = instruction.step.mask;
  if (destination.what != isa::operand::kind::reg) return;
  const undefined_value undefined{instruction.undefined_lanes, instruction.origin};
  switch (destination.file) {
    case isa::register_file::vector:
      if (destination.index == isa::zero_register) return;
      write_vector(instruction, destination, visible);
      if (instruction.lower_half_lead != 0)
        shadow_.written_from(instruction.visible(0, destination.count, visible), slot, destination.file, destination.index, 1, mask,
                             undefined);
      shadow_.written_from(visible, slot, destination.file, destination.index, destination.count, mask, undefined);
      break;
    case isa::register_file::uniform:
      if (destination.index == isa::zero_uniform_register) return;
      for (unsigned i = 0; i < destination.count; ++i)
        side_.write(slot, destination.file, destination.index + i, instruction.result_registers[i][first_lane(mask)], isa::all_warp_lanes,
                    visible);
      shadow_.written_from(visible, slot, destination.file, destination.index, destination.count, mask, undefined);
      break;
    case isa::register_file::predicate:
    case isa::register_file::uniform_predicate: {
      if (destination.index == isa::true_predicate) return;
      const bool uniform = destination.file == isa::register_file::uniform_predicate;
      const std::uint32_t bits = instruction.result_predicates[d];
      side_.write(slot, destination.file, destination.index, uniform ? ((bits & 1u) != 0 ? isa::all_warp_lanes : 0) : bits,
                  uniform ? isa::all_warp_lanes : mask, visible);
      shadow_.written_from(visible, slot, destination.file, destination.index, 1, mask, undefined);
      break;
    }
    default:
      break;
  }
}

/// A transaction for the registers of each bank. A payload that has been answered in the call takes the next one.
void write_back::write_vector(const links::warp_instruction& instruction, const isa::operand& destination, cycle_t visible) {
  const bool is_together = instruction.lower_half_lead == 0;
  const unsigned banks = is_together ? mapping_.banks() : destination.count;
  bank_write_request* request = nullptr;
  for (unsigned first = 0; first < destination.count && first < banks; ++first) {
    if (request == nullptr) request = &new_write(instruction);
    const register_location at = mapping_.locate(instruction.warp->slot, destination.index + first);
    const unsigned rows = is_together ? mapping_.registers_in_bank(destination.count, first) : 1;
    request->range = {at.row, static_cast<std::uint8_t>(rows), static_cast<std::uint8_t>(first)};
    request->arrival = instruction.visible(first, destination.count, visible);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    if (bank_write[at.bank].send(*request, phase) != tlm::TLM_ACCEPTED)
      check_answer(*request);
    else
      request = nullptr;
  }
  if (request != nullptr) writes_.put_back(*request);
}

write_back::bank_write_request& write_back::new_write(const links::warp_instruction& instruction) {
  bank_write_request& request = writes_.get();
  request.command = tlm::TLM_WRITE_COMMAND;
  request.ranges = &request.range;
  request.range_count = 1;
  request.lanes = instruction.step.mask;
  request.values = instruction.result_registers.data();
  request.stride = mapping_.banks();
  request.warp_slot = instruction.warp->slot;
  request.record = instruction.record;
  request.writer = {&instruction.code(), instruction.step.line};
  return request;
}

tlm::tlm_sync_enum write_back::bank_answered(links::bank_transfer& write, tlm::tlm_phase&, sc_core::sc_time&) {
  auto& request = static_cast<bank_write_request&>(write);
  const bank_write_request answered = request;
  writes_.put_back(request);
  check_answer(answered);
  return tlm::TLM_COMPLETED;
}

void write_back::check_answer(const bank_write_request& write) const {
  if (write.status != tlm::TLM_OK_RESPONSE)
    fabric::fault(
        fabric::report::write_back_response, *this, clock_.cycle(),
        fmt::format("line {}: {}: a register bank answered {}", write.writer.line, write.writer.code->text, links::name_of(write.status)));
  else if (write.done > write.arrival)
    fabric::fault(fabric::report::write_back_late, *this, clock_.cycle(),
                  fmt::format("line {}: {}: a register bank writes the result in cycle {}, which is visible from cycle {} on",
                              write.writer.line, write.writer.code->text, write.done, write.arrival));
}

/// Returns the bytes that the bank moved.
unsigned write_back::access_for_debug(tlm::tlm_command command, const register_location& at, warp::lane_vector& value) {
  const links::row_range range{at.row, 1};
  links::bank_transfer transfer;
  transfer.command = command;
  transfer.ranges = &range;
  transfer.range_count = 1;
  transfer.values = transfer.room = &value;
  return bank_write[at.bank]->transport_dbg(transfer);
}

void write_back::preset(unsigned warp_slot, unsigned index, const warp::lane_vector& value) {
  if (!data_) return;
  warp::lane_vector copy = value;
  const register_location at = mapping_.locate(warp_slot, index);
  if (access_for_debug(tlm::TLM_WRITE_COMMAND, at, copy) != links::bank_protocol::row_bytes)
    fabric::fault(fabric::report::write_back_preset, *this, clock_.cycle(),
                  fmt::format("register bank {} does not take the preset of R{} of warp slot {}", at.bank, index, warp_slot));
}

bool write_back::peek(unsigned warp_slot, unsigned index, warp::lane_vector& value) {
  return access_for_debug(tlm::TLM_READ_COMMAND, mapping_.locate(warp_slot, index), value) == links::bank_protocol::row_bytes;
}

void write_back::reset() {
  std::fill(ports_.begin(), ports_.end(), port_calendar{});
  last_results_ = {};
  results_ = registers_written_ = port_conflicts_ = delayed_results_ = 0;
}

void write_back::collect(fabric::statistics_sink& sink) const {
  sink.count("results", results_, "instructions", "Results taken");
  sink.count("registers_written", registers_written_, "registers", "Registers written to the banks");
  sink.count("port_conflicts", port_conflicts_, "results", "Results that found their write port taken");
  sink.count("delayed_results", delayed_results_, "results", "Results of queued units that waited for a write port");
}

}  // namespace tc::subcore
