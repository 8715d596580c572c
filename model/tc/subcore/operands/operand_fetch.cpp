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
#include <tc/links/arrival_cycle.hpp>
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
      clocked_id_(around.clock.add(*this)),
      cache_(around.reuse_cache, mapping_.banks()),
      matrix_cache_(around.reuse_cache, mapping_.banks()),
      units_(around.units),
      tensor_exclusive_(around.tensor_exclusive),
      side_(around.side),
      shadow_(around.shadow),
      on_the_way_(around.on_the_way) {
  bank_read.init(mapping_.banks(), [this](const char* name, std::size_t) {
    return new fabric::base_protocol_initiator(name, [this](auto& payload, const auto& delay) { read_done(payload, delay); });
  });
  issue.register_nb_transport_fw(this, &operand_fetch::issued);
  status.bind(*this);
}

void operand_fetch::connect_directly(std::vector<register_bank*> banks) {
  direct_banks_ = std::move(banks);
  banks_read_at_once_ =
      std::all_of(direct_banks_.begin(), direct_banks_.end(), [](const register_bank* bank) { return bank->reads_at_once(); });
}

tlm::tlm_sync_enum operand_fetch::issued(links::warp_instruction& instruction, tlm::tlm_phase&, sc_core::sc_time&) {
  take(instruction);
  return tlm::TLM_COMPLETED;
}

void operand_fetch::take(links::warp_instruction& instruction) {
  const std::uint64_t hits_before = reuse_hits_;
  accept(instruction);
  ++instructions_;
  if (told_ != nullptr && reuse_hits_ != hits_before) told_->reused(instruction, static_cast<unsigned>(reuse_hits_ - hits_before));
}

void operand_fetch::announce(gathering& entry) {
  links::warp_instruction& instruction = *entry.instruction;
  if (direct_units_[entry.socket] != nullptr) {
    direct_units_[entry.socket]->reserve(instruction, instruction.dispatch);
  } else {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.delay_to(instruction.dispatch);
    dispatch[entry.socket]->nb_transport_fw(instruction, phase, delay);
  }
  if (tensor_exclusive_ && links::port_of(instruction.code().op) == links::unit_port::tensor)
    tensor_dispatch_ends_ = instruction.operands_read;
}

void operand_fetch::read_banks(gathering& entry, const sc_core::sc_time& delay) {
  const operand_plan& plan = *entry.plan;
  entry.values_valid = links::arrival_cycle(clock_, delay);
  transactions_ += plan.read_count;
  if (!direct_banks_.empty()) {
    read_directly(entry);
    return gathered(entry);
  }
  entry.reads_outstanding = plan.read_count + 1u;  // one for this function: gathered() is called once, at its end or later
  for (unsigned r = 0; r < plan.read_count; ++r) send_read(entry, plan.reads[r], delay);
  if (--entry.reads_outstanding == 0) gathered(entry);
}

/// All that transactions would bring, when they would bring it. Nothing is written between the reads of one call.
void operand_fetch::read_directly(gathering& entry) {
  if (banks_read_at_once_)
    read_at_once(entry);
  else
    read_in_turn(entry);
  if (entry.plan->has_late_reads) read_late(entry);
  const links::direct_dispatch* const unit = direct_units_[entry.socket];
  if (!hands_over_at_once() || unit == nullptr || !unit->is_done_with_operands()) bring_operands(entry);
}

void operand_fetch::read_in_turn(gathering& entry) {
  const operand_plan& plan = *entry.plan;
  const cycle_t arrival = entry.values_valid;
  links::warp_instruction& instruction = *entry.instruction;
  const std::uint32_t first_row = mapping_.first_row(instruction.warp->slot);
  for (unsigned r = 0; r < plan.read_count; ++r) {
    const operand_plan::bank_read& read = plan.reads[r];
    const warp::lane_vector** const rows = &instruction.operand_rows[read.position];
    const cycle_t valid = direct_banks_[read.bank]->look_at_directly(first_row + read.row, read.registers, arrival, rows);
    entry.values_valid = std::max(entry.values_valid, valid);
  }
}

void operand_fetch::read_at_once(const gathering& entry) {
  const operand_plan& plan = *entry.plan;
  const warp::lane_vector** const found = entry.instruction->operand_rows.data();
  const std::uint32_t first_row = mapping_.first_row(entry.instruction->warp->slot);
  const operand_plan::bank_register* next = plan.registers.data();
  for (std::size_t bank = 0; bank < direct_banks_.size(); ++bank) {
    const unsigned count = plan.registers_of_bank[bank];
    if (count == 0) continue;
    bank_rows& rows = direct_banks_[bank]->rows_to_read(count);
    for (const operand_plan::bank_register* const end = next + count; next != end; ++next)
      found[next->position] = rows.at(first_row + next->row, entry.values_valid);
  }
}

/// What arrives until an operand is read that is read behind the others. It is computed by now: its instruction has been dispatched before.
[[gnu::noinline]] void operand_fetch::read_late(gathering& entry) {
  links::warp_instruction& instruction = *entry.instruction;
  const std::uint32_t first_row = mapping_.first_row(instruction.warp->slot);
  for (unsigned r = 0; r < entry.plan->read_count; ++r) {
    const operand_plan::bank_read& read = entry.plan->reads[r];
    if (read.late_cycles == 0) continue;
    for (unsigned i = 0; i < read.registers; ++i)
      direct_banks_[read.bank]->look_ahead_directly(first_row + read.row + i, entry.values_valid + read.late_cycles,
                                                    instruction.room_at(read.position + i));
  }
}

/// The same where transactions have brought what the banks held in the cycle of dispatch.
void operand_fetch::bring_late(const gathering& entry) {
  links::warp_instruction& instruction = *entry.instruction;
  const cycle_t read_in = instruction.dispatch;
  for (unsigned r = 0; r < entry.plan->read_count; ++r) {
    const operand_plan::bank_read& read = entry.plan->reads[r];
    for (unsigned i = 0; read.late_cycles != 0 && i < read.registers; ++i)
      on_the_way_->bring(instruction.warp->slot, read.index + i * mapping_.banks(), read_in, read_in + read.late_cycles,
                         instruction.room_at(read.position + i));
  }
}

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

void operand_fetch::send_read(gathering& entry, const operand_plan::bank_read& read, const sc_core::sc_time& delay) {
  const register_location at{read.bank, mapping_.first_row(entry.instruction->warp->slot) + read.row};
  tlm::tlm_generic_payload& payload = pool_.get();
  for (unsigned i = 1; i < read.registers; ++i) entry.instruction->room_at(read.position + i);
  auto* const values = reinterpret_cast<unsigned char*>(entry.instruction->room_at(read.position).data());
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, at.address(), values, read.registers * links::bank_protocol::row_bytes);
  fabric::warp_tag::mark(payload, entry.instruction->warp->slot, entry.instruction->record);
  fabric::owner_tag<gathering>::of(payload).job = &entry;
  bank_read[at.bank].send(payload, delay);
}

void operand_fetch::read_done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  gathering& entry = *fabric::owner_tag<gathering>::of(payload).job;
  sc_assert(entry.instruction != nullptr && entry.reads_outstanding > 0);
  const bool failed = payload.is_response_error();
  const std::string answer = failed ? payload.get_response_string() : std::string();
  payload.release();
  if (failed) report(fabric::report::operand_fetch_response, *entry.instruction, "a register bank answered " + answer);
  entry.values_valid = std::max(entry.values_valid, links::arrival_cycle(clock_, delay));
  if (--entry.reads_outstanding == 0) gathered(entry);
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
          value.undefined_lanes = 0xffffffffu;
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
  const std::uint32_t used = multiplies ? 0xffffffffu : instruction.step.mask;
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
    shadow_.written(instruction.warp->slot, isa::register_file::vector, reg, 1, 0xffffffffu, {});
  }
}

void operand_fetch::dispatch_operands(gathering& entry) {
  links::warp_instruction& instruction = *entry.instruction;
  if (data_) {
    if (entry.plan->has_late_reads && direct_banks_.empty() && on_the_way_ != nullptr) bring_late(entry);
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
  if (direct_units_[entry.socket] != nullptr) return direct_units_[entry.socket]->begin(instruction);
  tlm::tlm_phase phase = links::OPERANDS_READY;
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  dispatch[entry.socket]->nb_transport_fw(instruction, phase, delay);
}

void operand_fetch::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Instructions whose operands were fetched");
  sink.count("registers_read", std::accumulate(registers_read_.begin(), registers_read_.end(), std::uint64_t{0}), "registers",
             "Registers read from the banks");
  sink.count("busiest_bank_registers_read", *std::max_element(registers_read_.begin(), registers_read_.end()), "registers",
             "Registers read from the bank from which most were");
  if (data_) sink.count("bank_transactions", transactions_, "transactions", "Read transactions sent to the banks");
  sink.count("reuse_hits", reuse_hits_, "registers", "Registers taken from the reuse cache instead of a bank");
}

}  // namespace tc::subcore
