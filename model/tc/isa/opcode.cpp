// SPDX-License-Identifier: Apache-2.0
#include "opcode.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <stdexcept>
#include <string>
#include <unordered_map>

#include <tc/isa/instruction.hpp>
#include <tc/isa/modifiers.hpp>

namespace tc::isa {
namespace {

using unit = execution_unit;
using width = width_rule;
using group = modifier_group;
using source = source_kind;
using number = number_style;
using space = memory_space;
using action = memory_action;
using role = issue_role;
constexpr auto fixed = latency_class::fixed, queued = latency_class::queued;

constexpr architecture_range always;  // unless a limit is documented

constexpr destination_shape nothing{}, a_register{0, register_file::vector}, register_and_carries{0, register_file::vector, false, 2},
    predicate_and_register{1, register_file::vector}, one_predicate{1}, two_predicates{2}, ballot{0, register_file::vector, true, 1},
    a_barrier{0, register_file::barrier}, register_or_barrier{0, register_file::vector, false, 0, register_file::barrier},
    a_uniform{0, register_file::uniform}, uniform_and_carries{0, register_file::uniform, false, 2},
    predicate_and_uniform{1, register_file::uniform}, uniform_ballot{0, register_file::uniform, true, 1};

/// Operands behind the destinations.
struct source_count {
  std::uint8_t fewest, most;
};

constexpr source_count sources(std::uint8_t fewest, std::uint8_t most) { return {fewest, most}; }
constexpr source_count sources(std::uint8_t count) { return {count, count}; }

/// Sources up to this one are values, the others predicates.
constexpr predicate_range predicates_from(std::uint8_t first) { return {first, instruction::max_sources}; }
/// The other way round.
constexpr predicate_range predicates_before(std::uint8_t end) { return {0, end}; }

struct slot_of_first_source {
  std::uint8_t slot;
};

constexpr slot_of_first_source from_slot_b{slot_b};

constexpr memory_use memory(space where, action what) { return {where, what}; }
constexpr memory_use memory(action what) { return {space::none, what}; }

struct suffix_groups {
  std::uint64_t set;
};

template <typename... Groups>
constexpr suffix_groups suffixes(Groups... groups) {
  return {modifier_set(groups...)};
}

constexpr auto float_arithmetic = suffixes(group::float_rounding, group::saturate, group::flush);
constexpr auto half_arithmetic = suffixes(group::float_formats, group::saturate, group::flush, group::matrix_pipe);
constexpr auto float_compare = suffixes(group::comparison, group::float_comparison, group::boolean, group::flush, group::float_formats);
constexpr auto integer_compare = suffixes(group::comparison, group::boolean, group::type_32, group::type_64, group::extended);
constexpr auto multiply_add = suffixes(group::multiply_alias, group::type_32, group::small_types, group::carry, group::high, group::wide);
constexpr auto shift = suffixes(group::shift_direction, group::shift_wrap, group::type_32, group::type_64, group::small_types, group::high);
constexpr auto conversion = suffixes(group::conversion, group::float_formats, group::type_32, group::type_64, group::small_types,
                                     group::float_rounding, group::saturate, group::flush);
constexpr auto local_access = suffixes(group::access, group::cache);
constexpr auto global_access = suffixes(group::access, group::cache, group::address);
constexpr auto atomic_access =
    suffixes(group::access, group::cache, group::address, group::atomic, group::type_32, group::type_64, group::float_formats);

// Enter a column into its row.
constexpr void set(opcode_info& row, source_kind sources) { row.sources = sources; }
constexpr void set(opcode_info& row, predicate_range predicates) { row.predicates = predicates; }
constexpr void set(opcode_info& row, slot_of_first_source first) { row.first_slot = first.slot; }
constexpr void set(opcode_info& row, width_rule widths) { row.widths = widths; }
constexpr void set(opcode_info& row, number_style numbers) { row.numbers = numbers; }
constexpr void set(opcode_info& row, memory_use use) { row.memory = use; }
constexpr void set(opcode_info& row, issue_role at_issue) { row.role = at_issue; }
constexpr void set(opcode_info& row, suffix_groups groups) { row.modifier_groups = groups.set; }

template <typename... Columns>
constexpr opcode_info make_row(opcode op, std::string_view mnemonic, unit executes, latency_class latency, architecture_range architectures,
                               destination_shape destinations, source_count sources, Columns... columns) {
  opcode_info row;
  row.mnemonic = mnemonic;
  row.op = op;
  row.unit = executes;
  row.latency = latency;
  row.architectures = architectures;
  row.destinations = destinations;
  row.min_sources = sources.fewest;
  row.max_sources = sources.most;
  (set(row, columns), ...);
  return row;
}

// clang-format off
constexpr std::array<opcode_info, opcode_count> rows_of_instruction_set{
#define TC_OPCODE(enumerator, ...) make_row(opcode::enumerator, __VA_ARGS__),
#include <tc/isa/opcode_rows.inc>
};
// clang-format on

constexpr bool has_address(memory_action what) {
  return what != action::none && what != action::transpose_matrix && what != action::exchange && what != action::order &&
         what != action::barrier && what != action::bulk_copy;
}

/// An instruction of PTX, whose name is dotted and has lower-case letters.
constexpr bool is_ptx(std::string_view mnemonic) { return mnemonic.front() >= 'a' && mnemonic.front() <= 'z'; }

/// What a row leaves out or contradicts; empty if nothing.
constexpr std::string_view mistake_in(const opcode_info& row) {
  const bool accesses_memory = row.unit == unit::load_store || row.unit == unit::constant_load;
  const bool ends_in_scheduler = row.unit == unit::none || row.unit == unit::branch;
  if (row.mnemonic.empty() || (!is_ptx(row.mnemonic) && row.mnemonic.find('.') != std::string_view::npos))
    return "a mnemonic is a word without a dot";
  if (row.min_sources > row.max_sources || row.max_sources > instruction::max_sources) return "the number of sources is out of range";
  if (row.predicates.first > row.predicates.end || row.predicates.end > instruction::max_sources)
    return "the range of predicates among the sources is none";
  if (row.first_slot > slot_c) return "an operand slot is A, B or C";
  if (accesses_memory != (row.memory.action != action::none))
    return "the load-store and constant-load units, and no other, have a memory use";
  if (has_address(row.memory.action) != (row.memory.space != space::none)) return "a memory space goes with an action that has addresses";
  if ((row.unit == unit::constant_load) != (row.memory.space == space::constant)) return "the constant-load unit reads constants";
  if (ends_in_scheduler && row.role == role::dispatched) return "control flow and an instruction without a unit are not dispatched";
  if ((row.unit == unit::tensor) != (row.widths == width::matrix_multiply)) return "the tensor unit multiplies matrices";
  return {};
}

constexpr bool rows_are_complete() {
  for (const opcode_info& row : rows_of_instruction_set)
    if (!mistake_in(row).empty()) return false;
  return true;
}
static_assert(rows_are_complete(), "a row of opcode_rows.inc lacks a column: see mistake_in()");

constexpr std::array<opcode_info, max_opcodes> first_rows() {
  std::array<opcode_info, max_opcodes> rows{};
  for (std::size_t i = 0; i < opcode_count; ++i) rows[i] = rows_of_instruction_set[i];
  return rows;
}

using mnemonic_table = std::unordered_map<std::string_view, opcode>;

mnemonic_table& by_mnemonic() {
  static mnemonic_table table = [] {
    mnemonic_table opcodes;
    for (const opcode_info& row : rows_of_instruction_set) opcodes.emplace(row.mnemonic, row.op);
    return opcodes;
  }();
  return table;
}

/// A copy of a mnemonic that lives as long as the process.
std::string_view kept(std::string_view mnemonic) {
  static std::deque<std::string> mnemonics;
  return mnemonics.emplace_back(mnemonic);
}

}  // namespace

std::array<opcode_info, max_opcodes> opcode_table::rows_ = first_rows();
std::size_t opcode_table::size_ = opcode_count;

const opcode_info* find_opcode(std::string_view mnemonic) {
  const mnemonic_table& table = by_mnemonic();
  const auto found = table.find(mnemonic);
  return found == table.end() ? nullptr : &info(found->second);
}

opcode add_opcode(const opcode_info& row) {
  const auto refuse = [&row](std::string_view reason) {
    throw std::invalid_argument("opcode " + std::string(row.mnemonic) + ": " + std::string(reason));
  };
  if (const std::string_view mistake = mistake_in(row); !mistake.empty()) refuse(mistake);
  if (row.mnemonic.find('.') != std::string_view::npos) refuse("the operands of an instruction of PTX cannot be described in its row");
  if (row.unit == unit::tensor) refuse("a matrix instruction has shapes and element types, which cannot be added");
  if (find_opcode(row.mnemonic) != nullptr) refuse("there is one of this name");
  if (opcode_table::size_ == max_opcodes) refuse("there can be " + std::to_string(max_opcodes) + " opcodes, and there are");
  const auto added = static_cast<opcode>(opcode_table::size_++);
  opcode_info& own = opcode_table::rows_[static_cast<std::size_t>(added)];
  own = row;
  own.op = added;
  own.mnemonic = kept(row.mnemonic);
  by_mnemonic().emplace(own.mnemonic, added);
  return added;
}

}  // namespace tc::isa
