// SPDX-License-Identifier: Apache-2.0
#include "write_back.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned max_bank_rows = links::warp_instruction::max_result_registers;

/// Holds the data of a bank write until the bank is done with it, and what the bank was asked for. Sticky, like warp_tag.
struct write_data final : tlm::tlm_extension<write_data> {
  std::array<warp::lane_vector, max_bank_rows> rows{};
  std::array<unsigned char, links::bank_protocol::row_bytes> enables{};
  cycle_t visible = 0;  ///< when it must be written
  links::value_origin writer{};
  tlm::tlm_extension_base* clone() const override { return new write_data(*this); }
  void copy_from(const tlm::tlm_extension_base& other) override { *this = static_cast<const write_data&>(other); }
};

write_data& data_of(tlm::tlm_generic_payload& payload) {
  auto* data = payload.get_extension<write_data>();
  if (data == nullptr) payload.set_extension(data = new write_data);
  return *data;
}

/// The lane that speaks for a warp where it computes one value: the first active one.
unsigned first_lane(std::uint32_t mask) {
  unsigned lane = 0;
  while ((mask >> lane & 1u) == 0) ++lane;
  return lane;
}

}  // namespace

write_back::write_back(const sc_core::sc_module_name& module_name, const register_mapping& mapping, unsigned write_ports, bool data,
                       side_registers& side, definedness& shadow, results_on_the_way& on_the_way, fabric::clock_domain& clock)
    : sc_module(module_name),
      bank_write("bank_write"),
      mapping_(mapping),
      write_ports_(write_ports),
      data_(data),
      side_(side),
      shadow_(shadow),
      on_the_way_(on_the_way),
      clock_(clock),
      ports_(mapping.banks()) {
  bank_write.init(mapping.banks(), [this](const char* name, std::size_t) {
    return new fabric::base_protocol_initiator(name, [this](auto& payload, const auto& delay) { write_done(payload, delay); });
  });
  result.register_nb_transport_fw(this, &write_back::arrived);
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

tlm::tlm_sync_enum write_back::arrived(int, links::warp_instruction& instruction, tlm::tlm_phase&, sc_core::sc_time& delay) {
  take(instruction, links::arrival_cycle(clock_, delay));
  return tlm::TLM_COMPLETED;
}

void write_back::take(links::warp_instruction& instruction, cycle_t wanted) {
  const cycle_t visible = reserve_ports(instruction, wanted);
  instruction.result = visible;
  ++results_;
  if (instruction.step.mask != 0) {
    count_registers(instruction);
    for (unsigned d = 0; data_ && d < instruction.code().destination_count; ++d) write_destination(instruction, d, visible);
  }
  if (direct_scheduler_ != nullptr) return direct_scheduler_->take_back(instruction, visible);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time until_visible = clock_.delay_to(visible);
  retire->nb_transport_fw(instruction, phase, until_visible);
}

/// For whole registers of one destination, which are written without being copied.
void write_back::set_result_rows(links::warp_instruction& instruction) {
  const isa::operand& destination = instruction.code().destinations[0];
  instruction.has_lent_rows = !direct_banks_.empty() && instruction.step.mask == register_bank::all_lanes &&
                              instruction.code().destination_count == 1 && destination.is_register(isa::register_file::vector) &&
                              destination.index != isa::zero_register;
  if (!instruction.has_lent_rows) return instruction.keep_results();
  for (unsigned i = 0; i < destination.count; ++i)
    instruction.result_rows[i] = &direct_banks_[mapping_.bank(instruction.warp->slot, destination.index + i)]->lend_row();
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
        side_.write(slot, destination.file, destination.index + i, instruction.result_registers[i][first_lane(mask)], 0xffffffffu, visible);
      shadow_.written_from(visible, slot, destination.file, destination.index, destination.count, mask, undefined);
      break;
    case isa::register_file::predicate:
    case isa::register_file::uniform_predicate: {
      if (destination.index == isa::true_predicate) return;
      const bool uniform = destination.file == isa::register_file::uniform_predicate;
      const std::uint32_t bits = instruction.result_predicates[d];
      side_.write(slot, destination.file, destination.index, uniform ? ((bits & 1u) != 0 ? 0xffffffffu : 0) : bits,
                  uniform ? 0xffffffffu : mask, visible);
      shadow_.written_from(visible, slot, destination.file, destination.index, 1, mask, undefined);
      break;
    }
    default:
      break;
  }
}

void write_back::write_vector(const links::warp_instruction& instruction, const isa::operand& destination, cycle_t visible) {
  if (instruction.has_lent_rows) return write_lent_rows(instruction, destination, visible);
  const unsigned banks = instruction.lower_half_lead == 0 ? mapping_.banks() : destination.count;
  for (unsigned first = 0; first < destination.count && first < banks; ++first) {
    const unsigned rows = instruction.lower_half_lead == 0 ? mapping_.registers_in_bank(destination.count, first) : 1;
    const cycle_t written = instruction.visible(first, destination.count, visible);
    if (direct_banks_.empty()) {
      send_write(instruction, destination, first, rows, written);
      continue;
    }
    const register_location at = mapping_.locate(instruction.warp->slot, destination.index + first);
    direct_banks_[at.bank]->write_directly(at.row, rows, written, instruction.step.mask, &instruction.result_registers[first], banks);
  }
}

void write_back::write_lent_rows(const links::warp_instruction& instruction, const isa::operand& destination, cycle_t visible) {
  for (unsigned i = 0; i < destination.count; ++i) {
    const register_location at = mapping_.locate(instruction.warp->slot, destination.index + i);
    direct_banks_[at.bank]->write_lent_row(at.row, visible);
  }
}

/// One transaction with `rows` registers of the destination: its `first`, and others that lie in the same bank.
void write_back::send_write(const links::warp_instruction& instruction, const isa::operand& destination, unsigned first, unsigned rows,
                            cycle_t visible) {
  const register_location at = mapping_.locate(instruction.warp->slot, destination.index + first);
  tlm::tlm_generic_payload& payload = pool_.get();
  write_data& data = data_of(payload);
  data.visible = visible;
  data.writer = {&instruction.code(), instruction.step.line};
  for (unsigned i = 0; i < rows; ++i) {
    const unsigned number = first + i * mapping_.banks();
    data.rows[i] = instruction.result_registers[number];
    on_the_way_.add(instruction.warp->slot, destination.index + number, visible, instruction.step.mask, data.rows[i], clock_.cycle());
  }
  fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, at.address(), reinterpret_cast<unsigned char*>(data.rows.data()),
                         rows * links::bank_protocol::row_bytes);
  if (instruction.step.mask != 0xffffffffu) {
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      std::fill_n(data.enables.begin() + lane * 4, 4, (instruction.step.mask >> lane & 1u) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED);
    payload.set_byte_enable_ptr(data.enables.data());
    payload.set_byte_enable_length(links::bank_protocol::row_bytes);
  }
  fabric::warp_tag::mark(payload, instruction.warp->slot, instruction.record);
  bank_write[at.bank].send(payload, clock_.delay_to(visible));
}

void write_back::write_done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  const write_data& data = data_of(payload);
  const cycle_t asked = data.visible, written = links::arrival_cycle(clock_, delay);
  const links::value_origin writer = data.writer;
  const bool failed = payload.is_response_error();
  const std::string answer = failed ? payload.get_response_string() : std::string();
  payload.release();
  if (failed)
    fabric::fault(fabric::report::write_back_response, *this, clock_.cycle(),
                  fmt::format("line {}: {}: a register bank answered {}", writer.line, writer.code->text, answer));
  else if (written > asked)
    fabric::fault(fabric::report::write_back_late, *this, clock_.cycle(),
                  fmt::format("line {}: {}: a register bank writes the result in cycle {}, which is visible from cycle {} on", writer.line,
                              writer.code->text, written, asked));
}

bool write_back::transfer(tlm::tlm_command command, const register_location& at, warp::lane_vector& value) {
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, command, at.address(), reinterpret_cast<unsigned char*>(value.data()), links::bank_protocol::row_bytes);
  return bank_write[at.bank]->transport_dbg(payload) == links::bank_protocol::row_bytes;
}

void write_back::preset(unsigned warp_slot, unsigned index, const warp::lane_vector& value) {
  if (!data_) return;
  warp::lane_vector copy = value;
  const register_location at = mapping_.locate(warp_slot, index);
  if (!transfer(tlm::TLM_WRITE_COMMAND, at, copy))
    fabric::fault(fabric::report::write_back_preset, *this, clock_.cycle(),
                  fmt::format("register bank {} does not take the preset of R{} of warp slot {}", at.bank, index, warp_slot));
}

bool write_back::peek(unsigned warp_slot, unsigned index, warp::lane_vector& value) {
  return transfer(tlm::TLM_READ_COMMAND, mapping_.locate(warp_slot, index), value);
}

void write_back::reset() {
  std::fill(ports_.begin(), ports_.end(), port_calendar{});
  last_results_ = {};
  on_the_way_.clear();
  results_ = registers_written_ = port_conflicts_ = delayed_results_ = 0;
}

void write_back::collect(fabric::statistics_sink& sink) const {
  sink.count("results", results_, "instructions", "Results taken");
  sink.count("registers_written", registers_written_, "registers", "Registers written to the banks");
  sink.count("port_conflicts", port_conflicts_, "results", "Results that found their write port taken");
  sink.count("delayed_results", delayed_results_, "results", "Results of queued units that waited for a write port");
}

}  // namespace tc::subcore
