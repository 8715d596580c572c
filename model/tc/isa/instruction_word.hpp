// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tc/isa/control_code.hpp>
#include <tc/isa/instruction.hpp>

namespace tc::isa {

/// The 128 bits of a machine instruction of Volta to Hopper. Bit 0 is the lowest of the first half, as disassemblers print the halves.
struct instruction_word {
  std::uint64_t low = 0, high = 0;

  /// Bits first, first + 1, ... of one half.
  std::uint32_t bits(unsigned first, unsigned count) const;
  void set_bits(unsigned first, unsigned count, std::uint32_t value);
};

/// Reads two halves of 16 hexadecimal digits: "00000004020c7236 000fe4000001540c". Throws std::invalid_argument.
instruction_word parse_word(std::string_view text);
/// The same text.
std::string text_of(const instruction_word& word);

/// What all instructions with three vector registers as sources keep in the same place (Jia et al., arXiv 1804.06826, section 2.1 and
/// appendix; public tables of machine code).
struct word_fields {
  std::uint16_t opcode = 0;  ///< bits 0 to 11: operation, and where the operands are
  std::uint8_t predicate = true_predicate;
  bool predicate_inverted = false;
  std::uint8_t d = zero_register, a = zero_register, b = zero_register, c = zero_register;
  std::uint8_t reuse = 0;  ///< bit n: operand slot n
  control_code control{};
};

word_fields fields_of(const instruction_word& word);
instruction_word word_of(const word_fields& fields);

/// The word of an HMMA.884, with its modifiers. Throws std::invalid_argument for other instructions.
instruction_word encode_hmma_884(const instruction& code);

}  // namespace tc::isa
