// SPDX-License-Identifier: Apache-2.0
#include "decoder.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <tc/machine_code/code_tables.hpp>
#include <tc/machine_code/form_reader.hpp>
#include <tc/machine_code/operand_text.hpp>

namespace tc::machine_code {

namespace {

constexpr std::size_t opcode_count = 4096;

std::optional<code_family> family_of(isa::architecture arch) {
  switch (arch) {
    case isa::architecture::sm_75:
      return code_family::turing;
    case isa::architecture::sm_80:
      return code_family::ampere;
    case isa::architecture::sm_86:
      return code_family::ampere_consumer;
    case isa::architecture::sm_89:
      return code_family::ada;
    case isa::architecture::sm_90:
      return code_family::hopper;
    default:
      return std::nullopt;
  }
}

/// Whether a number is 2, 4, 8, ...
bool is_power(std::uint64_t value) { return value > 1 && (value & (value - 1)) == 0; }

bool fits(const form& row, const isa::instruction_word& word) {
  if ((word.low & row.mask.low) != row.value.low || (word.high & row.mask.high) != row.value.high) return false;
  return row.power.range_count == 0 || is_power(row.power.of(word));
}

/// "@!P0 ": bits 12 to 15. Instructions that work on uniform registers alone have uniform predicates.
void add_guard(std::string& text, const isa::instruction_word& word, bool is_uniform) {
  constexpr std::uint32_t true_predicate = 7;
  const std::uint32_t number = word.bits(12, 3);
  const bool is_inverted = word.bits(15, 1) != 0;
  if (number == true_predicate && !is_inverted) return;
  text += is_inverted ? "@!" : "@";
  text += is_uniform ? "UP" : "P";
  text += number == true_predicate ? 'T' : static_cast<char>('0' + number);
  text += ' ';
}

}  // namespace

std::string unknown_text(const isa::instruction_word& word) { return fmt::format("unknown 0x{:016x}{:016x}", word.high, word.low); }

bool can_decode(isa::architecture arch) { return family_of(arch).has_value(); }

const std::vector<form>& all_forms() {
  static const std::vector<form> forms = [] {
    std::vector<table_text> tables;
    for (const auto& table : code_tables()) tables.push_back({table.name, table.text});
    return read_forms(tables);
  }();
  return forms;
}

decoder::decoder(isa::architecture arch) : by_opcode_(opcode_count) {
  const auto family = family_of(arch);
  if (!family)
    throw std::invalid_argument(
        fmt::format("the machine code of {} is not known: {} are", isa::name(arch),
                    isa::architecture_names([](const isa::architecture_info& row) { return can_decode(row.arch); })));
  for (const auto& row : all_forms())
    if (((row.families >> static_cast<unsigned>(*family)) & 1U) != 0) by_opcode_[row.opcode].push_back(&row);
}

const form* decoder::find(const isa::instruction_word& word) const {
  for (const auto* row : by_opcode_[word.low % opcode_count])
    if (fits(*row, word)) return row;
  return nullptr;
}

std::vector<const form*> decoder::forms() const {
  std::vector<const form*> all;
  for (const auto& rows : by_opcode_) all.insert(all.end(), rows.begin(), rows.end());
  return all;
}

bool decoder::add_text(std::string& text, const isa::instruction_word& word, std::uint64_t pc, const name_source* names) const {
  const form* row = find(word);
  if (row == nullptr) return false;
  add_guard(text, word, row->has_uniform_guard);
  text += row->mnemonic;
  for (const auto& modifier : row->modifiers) add_choice(text, modifier, word);
  const placed_word placed{word, pc, names};
  bool is_first = true;
  for (const auto& operand : row->operands) {
    if (!is_written(operand, word)) continue;
    text += is_first || operand.joined ? " " : ", ";
    is_first = false;
    add_operand(text, operand, placed);
  }
  return true;
}

std::optional<std::string> decoder::text(const isa::instruction_word& word, std::uint64_t pc, const name_source* names) const {
  std::string text;
  if (!add_text(text, word, pc, names)) return std::nullopt;
  return text;
}

std::optional<std::uint64_t> decoder::target(const isa::instruction_word& word, std::uint64_t pc) const {
  const form* row = find(word);
  if (row == nullptr) return std::nullopt;
  for (const auto& operand : row->operands)
    if (operand.kind == operand_kind::relative && is_written(operand, word)) return relative_target(operand, word, pc);
  return std::nullopt;
}

}  // namespace tc::machine_code
