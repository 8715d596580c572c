// SPDX-License-Identifier: Apache-2.0
#include "operand_plan.hpp"

#include <algorithm>
#include <optional>

#include <systemc>

#include <tc/isa/operand_widths.hpp>
#include <tc/links/register_position.hpp>
#include <tc/subcore/operands/address_comparison.hpp>

namespace tc::subcore {

matrix_bookings matrix_bookings_of(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping) {
  matrix_bookings bookings;
  if (!isa::is_mma(code.op)) return bookings;
  const isa::mma_operation& mma = *code.mma;
  const auto cycles = [&](unsigned registers) { return std::max(1U, registers / mapping.banks()); };
  const unsigned a = mma.a_registers(), b = mma.b_registers(), c = mma.c_registers(), phases = 2 * cycles(a);
  const auto book = [&](unsigned source, unsigned registers, unsigned begin) {
    const isa::operand& operand = code.sources[source];
    if (!operand.is_register(isa::register_file::vector) || operand.index == isa::zero_register) return;
    const unsigned of_each_bank = registers / mapping.banks();
    bookings.reads[source] = {cycle_set(begin, of_each_bank), cycle_set(begin, of_each_bank + 1), 0};
    for (unsigned i = 0; i < registers % mapping.banks(); ++i)
      bookings.reads[source].with_more |= std::uint32_t{1} << mapping.bank(first_bank, operand.index + i);
  };
  book(0, a, 1);
  book(1, b, phases + 1 - cycles(b));
  book(2, c, phases + 3 - cycles(c));
  bookings.reads_end = static_cast<std::uint8_t>(phases);
  bookings.write_cycles = static_cast<std::uint8_t>(cycles(c));
  return bookings;
}

namespace {

/// The vector registers that a source operand reads: its own, or those of its address.
struct register_span {
  unsigned index = isa::zero_register, count = 0;
  bool is_zero() const { return index == isa::zero_register; }
};

register_span span_of(const isa::operand& source) {
  if (source.is_register(isa::register_file::vector)) return {source.index, source.count};
  if (source.what == isa::operand::kind::memory || source.what == isa::operand::kind::constant)
    return {source.memory.base, source.memory.base == isa::zero_register ? 0u : source.memory.base_count};
  return {};
}

/// Only an operand with a single register in a bank fits the cache entry of its slot there.
bool is_cacheable(const isa::operand& source, const register_span& span, unsigned i, const register_mapping& mapping,
                  const reuse_cache& cache) {
  return source.slot != isa::no_slot && cache.has_slot(source.slot) && mapping.registers_in_bank(span.count, i) == 1;
}

/// Immediates, constants, uniform registers and predicates. c[bank][R] is looked up by the constant pipe.
bool is_outside_banks(const isa::operand& source) {
  using kind = isa::operand::kind;
  if (source.what == kind::constant) return source.memory.base == isa::zero_register || source.memory.base_count == 0;
  return source.what == kind::immediate ||
         (source.what == kind::reg && source.file != isa::register_file::vector && links::has_position(source.file));
}

/// Not RZ, PT and the like.
bool is_variable(const isa::operand& source) {
  if (source.what != isa::operand::kind::reg || !links::has_position(source.file)) return false;
  switch (source.file) {
    case isa::register_file::vector:
      return source.index != isa::zero_register;
    case isa::register_file::uniform:
      return source.index != isa::zero_uniform_register;
    default:
      return source.index != isa::true_predicate;
  }
}

class planner {
 public:
  planner(const isa::instruction& code, unsigned warp_slot, const register_mapping& mapping, const links::late_operands& late,
          const reuse_cache& cache, std::uint32_t hits)
      : code_(code), warp_slot_(warp_slot), mapping_(mapping), late_(late), cache_(cache), hits_(hits) {}

  operand_plan plan() {
    for (unsigned s = 0; s < code_.source_count; ++s) {
      add_source(s);
      if (is_outside_banks(code_.sources[s])) plan_.outside_banks.add(s);
      if (is_variable(code_.sources[s])) add_variable(code_.sources[s], s);
    }
    if (const std::optional<unsigned> source = address_source_of(code_)) {
      plan_.address_source = static_cast<std::uint8_t>(*source);
      plan_.address = registers_of_address(code_.sources[*source].memory);
    }
    group_by_bank();
    plan_.bookings = matrix_bookings_of(code_, warp_slot_, mapping_);
    return plan_;
  }

 private:
  void add_source(unsigned s) {
    const isa::operand& source = code_.sources[s];
    links::source_value& value = plan_.sources[s];
    const register_span span = span_of(source);
    if (span.count > 0 && !span.is_zero()) {
      value.count = static_cast<std::uint8_t>(span.count);
      add_registers(source, span, value);
    } else if (source.what != isa::operand::kind::reg || source.file == isa::register_file::uniform || span.is_zero()) {
      // The text of a constant does not say how many words the instruction takes.
      const unsigned words = source.what == isa::operand::kind::constant ? isa::source_registers(code_, s) : source.count;
      add_broadcast(source, std::max(words, 1u), value);
    }
  }

  void add_variable(const isa::operand& source, unsigned s) {
    plan_.variable.add(s);
    for (unsigned i = 0; i < registers_of(source, plan_.sources[s]); ++i)
      plan_.read.set(links::register_position(source.file, source.index + i));
  }

  /// Immediates, constants and uniform registers get registers of their own, filled when the operands are read.
  void add_broadcast(const isa::operand& source, unsigned words, links::source_value& value) {
    const bool is_predicate =
        source.is_register(isa::register_file::predicate) || source.is_register(isa::register_file::uniform_predicate);
    using kind = isa::operand::kind;
    if (is_predicate || source.what == kind::none || source.what == kind::label || source.what == kind::memory) return;
    const bool is_zero = source.is_register(isa::register_file::vector);
    value.count = static_cast<std::uint8_t>(words);
    for (unsigned i = 0; i < value.count; ++i) value.position[i] = is_zero ? zero_position() : next_position();
  }

  void add_registers(const isa::operand& source, const register_span& span, links::source_value& value) {
    const unsigned banks = mapping_.banks();
    for (unsigned first = 0; first < banks && first < span.count; ++first) {
      if (mapping_.registers_in_bank(span.count, first) == 1) {
        value.position[first] = add_single(source, span, first);
        continue;
      }
      const unsigned position = plan_.position_count;
      for (unsigned i = first; i < span.count; i += banks) value.position[i] = next_position();
      add_read(source, span, first, mapping_.registers_in_bank(span.count, first), position);
    }
  }

  /// A register that is alone in its bank: from the reuse cache, with another operand, or from the bank.
  std::uint8_t add_single(const isa::operand& source, const register_span& span, unsigned i) {
    const unsigned index = span.index + i;
    const auto bank = static_cast<std::uint8_t>(mapping_.bank(warp_slot_, index));
    const bool cacheable = is_cacheable(source, span, i, mapping_, cache_);
    const std::uint8_t position = next_position();
    if (cacheable && (hits_ >> cacheable_++ & 1U) != 0) {
      ++plan_.reuse_hits;
      add_move({operand_plan::move::kind::from_cache, position, source.slot, bank, 0});
    } else if (const operand_plan::bank_read* const read = find_read(index)) {
      add_move({operand_plan::move::kind::copy, position, 0, 0, read->position});
    } else {
      add_read(source, span, i, 1, position);
    }
    if (cacheable && source.reuse) {
      add_move({operand_plan::move::kind::to_cache, position, source.slot, bank, 0});
      plan_.leaves_entries = true;
    }
    return position;
  }

  /// Where a register lies behind the warp's first row.
  register_location locate(unsigned index) const {
    const register_location at = mapping_.locate(warp_slot_, index);
    return {at.bank, at.row - mapping_.first_row(warp_slot_)};
  }

  const operand_plan::bank_read* find_read(unsigned index) const {
    const register_location at = locate(index);
    for (unsigned r = 0; r < plan_.read_count; ++r)
      if (plan_.reads[r].registers == 1 && plan_.reads[r].bank == at.bank && plan_.reads[r].row == at.row) return &plan_.reads[r];
    return nullptr;
  }

  /// Registers of an operand in one bank, from its register `first` on.
  void add_read(const isa::operand& source, const register_span& span, unsigned first, unsigned registers, unsigned position) {
    const unsigned index = span.index + first;
    const register_location at = locate(index);
    const auto late = static_cast<std::uint8_t>(late_.cycles(code_, source.slot, span.count, first));
    plan_.latest_read_cycles = std::max(plan_.latest_read_cycles, late);
    sc_assert(plan_.read_count < operand_plan::max_reads);
    plan_.reads[plan_.read_count++] = {static_cast<std::uint8_t>(at.bank),
                                       static_cast<std::uint8_t>(registers),
                                       static_cast<std::uint8_t>(position),
                                       source.slot,
                                       static_cast<std::uint8_t>(index),
                                       at.row,
                                       late};
    plan_.registers_read = static_cast<std::uint8_t>(plan_.registers_read + registers);
    plan_.registers_of_bank[at.bank] = static_cast<std::uint8_t>(plan_.registers_of_bank[at.bank] + registers);
  }

  void group_by_bank() {
    unsigned next = 0;
    for (unsigned bank = 0; bank < mapping_.banks(); ++bank) {
      const unsigned first = next;
      for (unsigned r = 0; r < plan_.read_count; ++r)
        if (const operand_plan::bank_read& read = plan_.reads[r]; read.bank == bank)
          plan_.ranges[next++] = {read.row, read.registers, read.position, read.late_cycles};
      if (next != first)
        plan_.requests[plan_.request_count++] = {static_cast<std::uint8_t>(bank), static_cast<std::uint8_t>(first),
                                                 static_cast<std::uint8_t>(next - first)};
    }
  }

  void add_move(const operand_plan::move& move) {
    sc_assert(plan_.move_count < operand_plan::max_moves);
    plan_.moves[plan_.move_count++] = move;
  }

  std::uint8_t next_position() {
    sc_assert(plan_.position_count < links::warp_instruction::max_operand_registers);
    return plan_.position_count++;
  }

  std::uint8_t zero_position() {
    if (plan_.zero_position == operand_plan::no_position) plan_.zero_position = next_position();
    return plan_.zero_position;
  }

  const isa::instruction& code_;
  unsigned warp_slot_;
  const register_mapping& mapping_;
  const links::late_operands& late_;
  const reuse_cache& cache_;
  const std::uint32_t hits_;
  unsigned cacheable_ = 0;  ///< operands so far that the cache could have
  operand_plan plan_{};
};

}  // namespace

// Of the warps whose registers begin in a bank, the one in the slot of the bank's number stands for all: their plans are the same.

std::vector<reuse_entry> cacheable_operands(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping,
                                            const reuse_cache& cache) {
  std::vector<reuse_entry> found;
  for (unsigned s = 0; s < code.source_count; ++s) {
    const isa::operand& source = code.sources[s];
    const register_span span = span_of(source);
    if (span.is_zero()) continue;
    for (unsigned i = 0; i < span.count && i < mapping.banks(); ++i)
      if (is_cacheable(source, span, i, mapping, cache))
        found.push_back({source.slot, mapping.bank(first_bank, span.index + i), span.index + i});
  }
  return found;
}

operand_plan plan_operands(const isa::instruction& code, unsigned first_bank, const register_mapping& mapping,
                           const links::late_operands& late, const reuse_cache& cache, std::uint32_t hits) {
  return planner(code, first_bank, mapping, late, cache, hits).plan();
}

void use_reuse_cache(const isa::instruction& code, unsigned warp_slot, const register_mapping& mapping, reuse_cache& cache) {
  cache.switch_to(warp_slot);
  for (unsigned s = 0; s < code.source_count; ++s) {
    const isa::operand& source = code.sources[s];
    const register_span span = span_of(source);
    if (span.is_zero() || source.slot == isa::no_slot) continue;
    for (unsigned i = 0; i < span.count && i < mapping.banks(); ++i) {
      const bool keep = source.reuse && is_cacheable(source, span, i, mapping, cache);
      cache.use(source.slot, mapping.bank(warp_slot, span.index + i), warp_slot, span.index + i, keep);
    }
  }
}

void void_written_entries(const isa::instruction& code, unsigned warp_slot, reuse_cache& cache) {
  for (const isa::register_use& write : code.writes)
    if (write.file == isa::register_file::vector)
      for (unsigned i = 0; i < write.count; ++i) cache.written(warp_slot, write.index + i);
  if (const isa::wgmma_operation* const operation = isa::wgmma_of(code))
    for (const std::uint8_t reg : operation->accumulators) cache.written(warp_slot, reg);
}

}  // namespace tc::subcore
