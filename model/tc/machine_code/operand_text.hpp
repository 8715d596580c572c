// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/isa/instruction_word.hpp>
#include <tc/machine_code/decoder.hpp>
#include <tc/machine_code/form.hpp>

namespace tc::machine_code {

/// A word, where it stands and what names it uses.
struct placed_word {
  const isa::instruction_word& word;
  std::uint64_t pc = 0;
  const name_source* names = nullptr;
};

/// Whether an operand is written: one that is optional is not if it says nothing.
bool is_written(const operand_form& operand, const isa::instruction_word& word);

/// Appends the text of an operand.
void add_operand(std::string& text, const operand_form& operand, const placed_word& placed);

/// Appends what a choice says.
void add_choice(std::string& text, const choice& choice, const isa::instruction_word& word);

/// The address that a relative operand means.
std::uint64_t relative_target(const operand_form& operand, const isa::instruction_word& word, std::uint64_t pc);

}  // namespace tc::machine_code
