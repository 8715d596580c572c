// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction_word.hpp>
#include <tc/machine_code/form.hpp>
#include <tc/machine_code/form_reader.hpp>

namespace tc::machine_code {

/// Where the text of an instruction gets names from: of branch targets, and of what relocations put into words.
class name_source {
 public:
  virtual ~name_source() = default;
  /// The text of an address of code, as "`(.L_x_1)"; empty: the address is written as a number.
  virtual std::string target(std::uint64_t address) const = 0;
  /// The text that takes the place of the immediate of the instruction at `pc`, as "32@lo($str)"; empty: its value.
  virtual std::string immediate(std::uint64_t pc) const = 0;
};

/// Decodes the instruction words of Turing, Ampere, Ada and Hopper into the text that nvdisasm writes.
class decoder {
 public:
  /// For the code of one architecture: "sm_75" to "sm_90". Throws std::invalid_argument for another, of which it knows no words.
  explicit decoder(isa::architecture arch);

  /// The text without its ";": "@!P0 FADD R1, R2, R3". Nothing if no form fits. `pc` is the byte in the code, to which branches are
  /// relative.
  std::optional<std::string> text(const isa::instruction_word& word, std::uint64_t pc = 0, const name_source* names = nullptr) const;
  /// The same, appended to `text`; false, and nothing appended, if no form fits.
  bool add_text(std::string& text, const isa::instruction_word& word, std::uint64_t pc, const name_source* names) const;

  /// The address of code that the word names as where to go, if it names one.
  std::optional<std::uint64_t> target(const isa::instruction_word& word, std::uint64_t pc) const;

  /// The form of a word; null if none fits.
  const form* find(const isa::instruction_word& word) const;
  /// All forms of the architecture.
  std::vector<const form*> forms() const;

 private:
  std::vector<std::vector<const form*>> by_opcode_;
};

/// What stands in a listing for a word that no form fits: "unknown 0x000fe20000000800ffffffffff017b82".
std::string unknown_text(const isa::instruction_word& word);

/// Whether there is a decoder of an architecture.
bool can_decode(isa::architecture arch);

/// The forms of all architectures.
const std::vector<form>& all_forms();

}  // namespace tc::machine_code
