// SPDX-License-Identifier: Apache-2.0
#include "operand_fetch.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/isa/warp_lanes.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/links/edge_stage.hpp>
#include <tc/subcore/operands/address_comparison.hpp>

namespace tc::subcore {

namespace {

/// Whether an instruction puts registers into memory.
bool is_store(isa::opcode op) {
  const isa::memory_action action = isa::info(op).memory.action;
  return action == isa::memory_action::store || action == isa::memory_action::store_matrix || action == isa::memory_action::atomic;
}

}  // namespace

operand_fetch::operand_fetch(const sc_core::sc_module_name& module_name, const surroundings& around)
    : sc_module(module_name),
      dispatch("dispatch", around.units.count()),
      bank_read("bank_read"),
      unit_status("unit_status", around.units.count()),
      data_(around.data),
      mapping_(around.registers),
      plans_(around.registers, around.late, around.plans),
      clock_(around.clock),
      clocked_id_(links::add_unit(around.clock, *this, links::edge_stage::operands)),
      cache_(around.reuse_cache, mapping_.banks()),
      matrix_cache_(around.reuse_cache, mapping_.banks()),
      units_(around.units),
      tensor_exclusive_(around.tensor_exclusive),
      side_(around.side),
      shadow_(around.shadow) {
  bank_read.init(mapping_.banks());
  for (auto& link : bank_read) link.register_nb_transport_bw(this, &operand_fetch::bank_answered);
  issue.serve<&operand_fetch::issued>(*this);
  status.bind(*this);
}

tlm::tlm_sync_enum operand_fetch::issued(links::warp_instruction& instruction, tlm::tlm_phase&, sc_core::sc_time&) {
  const std::uint64_t hits_before = reuse_hits_;
  accept(instruction);
  ++instructions_;
  if (told_ != nullptr && reuse_hits_ != hits_before) told_->reused(instruction, static_cast<unsigned>(reuse_hits_ - hits_before));
  return tlm::TLM_COMPLETED;
}

void operand_fetch::announce(gathering& entry) {
  links::warp_instruction& instruction = *entry.instruction;
  links::hand_on(dispatch[entry.socket], instruction);
  if (tensor_exclusive_ && links::port_of(instruction.code().op) == links::unit_port::tensor)
    tensor_dispatch_ends_ = instruction.operands_read;
}

/// A payload that has been answered in the call takes the next read.
void operand_fetch::read_banks(gathering& entry, cycle_t arrival) {
  const operand_plan& plan = *entry.plan;
  entry.values_valid = arrival;
  transactions_ += plan.read_count;
  entry.reads_outstanding = plan.request_count + 1u;  // one for this function: gathered() is called once, at its end or later
  bank_read_request* request = nullptr;
  for (unsigned r = 0; r < plan.request_count; ++r) {
    if (request == nullptr) request = &new_read(entry, arrival);
    if (is_answered_at_once(*request, plan.requests[r]))
      note_answer(*request);
    else
      request = nullptr;
  }
  if (request != nullptr) reads_.put_back(*request);
  if (entry.reads_outstanding != 1 || !hands_over_at_once()) bring_operands(entry);
  if (--entry.reads_outstanding == 0) gathered(entry);
}

/// Rows that may change before the instruction is handed over.
void operand_fetch::bring_operands(gathering& entry) {
  links::warp_instruction& instruction = *entry.instruction;
  for (unsigned r = 0; r < entry.plan->read_count; ++r) {
    const operand_plan::bank_read& read = entry.plan->reads[r];
    for (unsigned i = read.position; i < unsigned{read.position} + read.registers; ++i) {
      const warp::lane_vector& row = *instruction.operand_rows[i];
      instruction.room_at(i) = row;
    }
  }
}

operand_fetch::bank_read_request& operand_fetch::new_read(gathering& entry, cycle_t arrival) {
  bank_read_request& request = reads_.get();
  links::warp_instruction& instruction = *entry.instruction;
  request.entry = &entry;
  request.base_row = mapping_.first_row(instruction.warp->slot);
  request.arrival = arrival;
  request.room = instruction.operand_registers.data();
  request.found = instruction.operand_rows.data();
  request.warp_slot = instruction.warp->slot;
  request.record = instruction.record;
  return request;
}

/// An operand that is read behind the others gets what is computed by then: its instruction has been dispatched before.
bool operand_fetch::is_answered_at_once(bank_read_request& request, const operand_plan::bank_request& asked) {
  request.ranges = &request.entry->plan->ranges[asked.first_range];
  request.range_count = asked.ranges;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  if (bank_read[asked.bank].send(request, phase) != tlm::TLM_ACCEPTED) return true;
  for (const links::row_range* range = request.ranges; range != request.ranges + asked.ranges; ++range)
    for (unsigned i = 0; i < range->rows; ++i) request.entry->instruction->room_at(range->position + i);
  return false;
}

tlm::tlm_sync_enum operand_fetch::bank_answered(links::bank_transfer& read, tlm::tlm_phase&, sc_core::sc_time&) {
  auto& request = static_cast<bank_read_request&>(read);
  gathering& entry = *request.entry;
  note_answer(request);
  reads_.put_back(request);
  if (entry.reads_outstanding == 0) gathered(entry);
  return tlm::TLM_COMPLETED;
}

void operand_fetch::note_answer(const bank_read_request& read) {
  gathering& entry = *read.entry;
  sc_assert(entry.instruction != nullptr && entry.reads_outstanding > 0);
  entry.values_valid = std::max(entry.values_valid, read.done);
  --entry.reads_outstanding;
  if (read.status != tlm::TLM_OK_RESPONSE)
    report(fabric::report::operand_fetch_response, *entry.instruction, "a register bank answered " + links::name_of(read.status));
}

void operand_fetch::report(const char* type, const links::warp_instruction& instruction, const std::string& text) {
  fabric::fault(type, *this, clock_.cycle(), fmt::format("line {}: {}: {}", instruction.step.line, instruction.code().text, text));
}

void operand_fetch::start(gathering& entry, links::warp_instruction& instruction, const operand_plan& plan) {
  entry.instruction = &instruction;
  entry.plan = &plan;
  entry.socket = socket_of(instruction.code());
  std::copy_n(plan.sources.begin(), instruction.code().source_count, instruction.sources.begin());
  reuse_hits_ += plan.reuse_hits;
  for (unsigned bank = 0; bank < mapping_.banks(); ++bank) registers_read_[bank] += plan.registers_of_bank[bank];
}

/// An empty cache of which nothing is kept stays as it is.
void operand_fetch::update_reuse_caches(const isa::instruction& code, unsigned warp_slot, const operand_plan& plan) {
  reuse_cache& used = cache_of(code);
  if (plan.leaves_entries || !used.is_empty()) use_reuse_cache(code, warp_slot, mapping_, used);
  for (reuse_cache* cache : {&cache_, &matrix_cache_})
    if (!cache->is_empty()) void_written_entries(code, warp_slot, *cache);
}

void operand_fetch::reset() {
  cache_.reset();
  matrix_cache_.reset();
  plans_.reset();
  tensor_dispatch_ends_ = 0;
  instructions_ = reuse_hits_ = transactions_ = 0;
  registers_read_.fill(0);
}

void operand_fetch::warp_launched(const warp::warp_context& warp) {
  cache_.forget(warp.slot);
  matrix_cache_.forget(warp.slot);
  sc_assert(plans_.are_of(warp.kernel) || !is_gathering());  // a kernel begins when nothing of the one before is in flight
  plans_.launch(warp);
}

/// Values pass through the reuse cache in the order of dispatch, which is the order in which the tags changed.
void operand_fetch::move_reuse_values(links::warp_instruction& instruction, const operand_plan& plan) {
  const auto& rows = instruction.operand_rows;
  reuse_cache& cache = cache_of(instruction.code());
  for (unsigned m = 0; m < plan.move_count; ++m) {
    const operand_plan::move& move = plan.moves[m];
    switch (move.what) {
      case operand_plan::move::kind::from_cache:
        instruction.room_at(move.position) = cache.value(move.slot, move.bank);
        break;
      case operand_plan::move::kind::copy:
        instruction.room_at(move.position) = *rows[move.source];
        break;
      case operand_plan::move::kind::to_cache:
        cache.value(move.slot, move.bank) = *rows[move.position];
        break;
    }
  }
}

/// Values of an operand that is outside the banks.
void operand_fetch::fill_source(links::warp_instruction& instruction, unsigned s) {
  const isa::operand& source = instruction.code().sources[s];
  const std::uint32_t slot = instruction.warp->slot;
  links::source_value& value = instruction.sources[s];
  switch (source.what) {
    case isa::operand::kind::immediate:
      for (unsigned i = 0; i < value.count; ++i) instruction.room_for_operand(s, i) = warp::broadcast(i == 0 ? source.value : 0);
      break;
    case isa::operand::kind::constant:
      for (unsigned i = 0; i < value.count; ++i) {
        // Of a byte or a half, which LDC may name, the word that it lies in.
        const auto word = instruction.warp->constants == nullptr
                              ? std::nullopt
                              : instruction.warp->constants->word(source.bank, (source.value & ~3U) + 4 * i);
        instruction.room_for_operand(s, i) = warp::broadcast(word.value_or(0));
        if (!word) {
          value.undefined_lanes = isa::all_warp_lanes;
          value.origin = {&instruction.code(), instruction.step.line};
        }
      }
      break;
    case isa::operand::kind::reg:
      if (source.file == isa::register_file::uniform)
        for (unsigned i = 0; i < value.count; ++i)
          instruction.room_for_operand(s, i) = warp::broadcast(
              source.index == isa::zero_uniform_register ? 0 : side_.read(slot, source.file, source.index + i, clock_.cycle()));
      else
        value.predicate = side_.read(slot, source.file, source.index, clock_.cycle());
      break;
    default:
      break;
  }
}

/// Says in each operand which lanes of its registers are undefined.
void operand_fetch::find_undefined(links::warp_instruction& instruction, const operand_plan& plan) {
  for (const std::uint8_t s : plan.variable) {
    const isa::operand& source = instruction.code().sources[s];
    links::source_value& value = instruction.sources[s];
    const undefined_value undefined = shadow_.of(instruction.warp->slot, source.file, source.index, registers_of(source, value));
    value.undefined_lanes = undefined.lanes;
    value.origin = undefined.origin;
    if (s == links::warp_instruction::stored_source && undefined.lanes != 0 && is_store(instruction.code().op))
      find_undefined_stored(instruction, source);
  }
}

/// A memory keeps count of single bytes, so that the registers are told apart.
void operand_fetch::find_undefined_stored(links::warp_instruction& instruction, const isa::operand& stored) {
  const unsigned count =
      std::min<unsigned>(instruction.sources[links::warp_instruction::stored_source].count, links::warp_instruction::max_stored_registers);
  for (unsigned i = 0; i < count; ++i)
    instruction.undefined_stored_lanes[i] = shadow_.of(instruction.warp->slot, stored.file, stored.index + i, 1).lanes;
}

/// A matrix instruction uses all lanes; a store the data of its active ones. Its address is in the trace.
void operand_fetch::report_undefined(const links::warp_instruction& instruction) {
  const isa::instruction& code = instruction.code();
  const bool multiplies = isa::is_mma(code.op) || isa::unit_of(code.op) == isa::execution_unit::warpgroup;
  if (!multiplies && !is_store(code.op)) return;
  const std::uint32_t used = multiplies ? isa::all_warp_lanes : instruction.step.mask;
  if (instruction.step.mask == 0) return;
  for (unsigned s = 0; s < code.source_count; ++s)
    if (code.sources[s].what == isa::operand::kind::reg && (instruction.sources[s].undefined_lanes & used) != 0)
      observer->undefined_value(instruction, instruction.sources[s].origin);
}

/// What the registers of an address hold.
address_terms operand_fetch::terms_of(const links::warp_instruction& instruction, unsigned source, const register_set& registers) const {
  const isa::memory_reference& memory = instruction.code().sources[source].memory;
  const std::uint32_t slot = instruction.warp->slot;
  address_terms terms;
  for (unsigned i = 0; i < base_registers(memory); ++i) terms.base[i] = &instruction.operand(source, i);
  for (unsigned i = 0; i < uniform_registers(memory); ++i)
    terms.uniform |= std::uint64_t{side_.read(slot, isa::register_file::uniform, memory.uniform + i, clock_.cycle())} << (32 * i);
  if (registers.any() && shadow_.is_any_undefined(slot, registers)) {
    terms.unknown_lanes = shadow_.of(slot, isa::register_file::vector, memory.base, base_registers(memory)).lanes |
                          shadow_.of(slot, isa::register_file::uniform, memory.uniform, uniform_registers(memory)).lanes;
  }
  terms.is_of_first_lane = terms.base[0] != nullptr && shadow_.has_preset_value(slot, isa::register_file::vector, memory.base);
  return terms;
}

/// The addresses are those of the trace. That its registers make the same shows that they and the instructions before belong together.
void operand_fetch::compare_addresses(const links::warp_instruction& instruction, const operand_plan& plan) {
  if (instruction.step.mask == 0) return;
  const isa::memory_reference& memory = instruction.code().sources[plan.address_source].memory;
  address_terms terms = terms_of(instruction, plan.address_source, plan.address);
  if (plan.address.none() && !names_address(memory)) terms.unknown_lanes = 0xffffffffU;
  observer->addresses_compared(instruction, compared(instruction.step, memory, terms));
}

/// The trace has the addresses that a copy comes from; where it goes to, its registers alone tell.
void operand_fetch::find_copy_addresses(links::warp_instruction& instruction) {
  const std::optional<unsigned> target = copy_target_of(instruction.code());
  if (!target) return;
  const isa::memory_reference& memory = instruction.code().sources[*target].memory;
  const address_terms terms = terms_of(instruction, *target, registers_of_address(memory));
  const std::array<std::uint64_t, warp::lanes_per_warp> addresses = addresses_of(memory, terms);
  std::transform(addresses.begin(), addresses.end(), instruction.copy_addresses.begin(),
                 [](std::uint64_t address) { return static_cast<std::uint32_t>(address); });
  const std::uint32_t first_lane = instruction.step.mask & (~instruction.step.mask + 1);
  instruction.unknown_copy_lanes = instruction.step.mask & (terms.unknown_lanes | (terms.is_of_first_lane ? ~first_lane : 0));
}

/// The accumulators of a warpgroup's instruction go another way than its operands; from now on they have values.
void operand_fetch::define_accumulators(const links::warp_instruction& instruction) {
  const auto* const operation = isa::wgmma_of(instruction.code());
  if (operation == nullptr || instruction.step.mask == 0) return;
  bool told = !operation->accumulate;
  for (const std::uint8_t reg : operation->accumulators) {
    const undefined_value undefined = shadow_.of(instruction.warp->slot, isa::register_file::vector, reg, 1);
    if (!told && undefined.lanes != 0) {
      observer->undefined_value(instruction, undefined.origin);
      told = true;
    }
    shadow_.written(instruction.warp->slot, isa::register_file::vector, reg, 1, isa::all_warp_lanes, {});
  }
}

void operand_fetch::dispatch_operands(gathering& entry) {
  links::warp_instruction& instruction = *entry.instruction;
  if (data_) {
    move_reuse_values(instruction, *entry.plan);
    if (entry.plan->zero_position != operand_plan::no_position) instruction.room_at(entry.plan->zero_position) = warp::lane_vector{};
    for (const std::uint8_t s : entry.plan->outside_banks) fill_source(instruction, s);
    shadow_.settle(instruction.warp->slot, std::max(clock_.cycle(), entry.values_valid) + entry.plan->latest_read_cycles);
    if (shadow_.is_any_undefined(instruction.warp->slot, entry.plan->read)) {
      find_undefined(instruction, *entry.plan);
      report_undefined(instruction);
    }
    if (entry.plan->address_source != operand_plan::no_source) {
      compare_addresses(instruction, *entry.plan);
      find_copy_addresses(instruction);
    }
    if (instruction.code().asynchronous != nullptr) define_accumulators(instruction);
  }
  links::hand_on(dispatch[entry.socket], instruction, links::OPERANDS_READY);
}

void operand_fetch::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Instructions whose operands were fetched");
  sink.count("registers_read", std::accumulate(registers_read_.begin(), registers_read_.end(), std::uint64_t{0}), "registers",
             "Registers read from the banks");
  sink.count("busiest_bank_registers_read", *std::max_element(registers_read_.begin(), registers_read_.end()), "registers",
             "Registers read from the bank from which most were");
  if (data_) sink.count("bank_transactions", transactions_, "transactions", "Reads of the banks: registers of one operand in one bank");
  sink.count("reuse_hits", reuse_hits_, "registers", "Registers taken from the reuse cache instead of a bank");
}

}  // namespace tc::subcore
