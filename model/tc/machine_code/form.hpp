// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tc/isa/instruction_word.hpp>

namespace tc::machine_code {

/// Bytes of an instruction word.
inline constexpr std::size_t instruction_bytes = 16;

/// Bits of an instruction word that make one number: ranges of consecutive bits, the least significant first.
struct bit_field {
  struct range {
    std::uint8_t first = 0, count = 0;
  };
  static constexpr std::size_t max_ranges = 3;

  std::array<range, max_ranges> ranges{};
  std::uint8_t range_count = 0;

  /// How many bits there are in all.
  unsigned width() const;
  /// The number; no more than 64 bits.
  std::uint64_t of(const isa::instruction_word& word) const;
  /// The number as one in two's complement.
  std::int64_t signed_of(const isa::instruction_word& word) const;
};

/// A bit of a form that need not be there.
inline constexpr std::uint8_t no_bit = 255;

/// Whether a bit, 0 to 127, is set. That of no_bit is not.
bool has_bit(const isa::instruction_word& word, std::uint8_t bit);

/// What a field chooses among: the text that its value stands for.
struct choice {
  bit_field field;
  std::vector<std::string> texts;  ///< by value, with their point in front; empty texts are not written
};

/// What an operand is.
enum class operand_kind : std::uint8_t {
  literal,            ///< the same in every word: PR
  vector_register,    ///< R16, RZ
  uniform_register,   ///< UR4, URZ
  predicate,          ///< P0, PT
  inverse_predicate,  ///< the same, counted down from PT
  uniform_predicate,  ///< UP0, UPT
  inverse_uniform_predicate,
  barrier,          ///< B0
  chosen,           ///< a name out of a table
  unsigned_number,  ///< 0xffffffff
  signed_number,    ///< -0x1
  decimal_number,   ///< 3
  f32_number,       ///< the 32 bits of an f32
  f64_number,       ///< the upper 32 bits of an f64
  f16_number,
  bf16_number,
  bit_set,            ///< {5,0}: the numbers of the bits which are set
  constant,           ///< c[0x0][0x160], cx[UR4][0x0]
  byte_constant,      ///< a constant whose offset need not be a multiple of four
  half_constant,      ///< c[0x0] [0x160]: as operands of half precision are written
  address,            ///< [R2.64+UR4+0x10], desc[UR4][R2.64]
  indexed_constant,   ///< c[0x3][R2+0x8]
  matrix_descriptor,  ///< gdesc[UR4]
  descriptor,         ///< desc[UR4]
  relative,           ///< an address of code, counted from the next instruction
  relative_bytes,     ///< the same, in bytes
  absolute,           ///< an address of code
  offset,             ///< what an address of code in a register is counted from
};

/// The part of an address, in the order in which it is written.
struct address_form {
  bit_field base;                          ///< vector register; no ranges: there is none
  bit_field uniform;                       ///< uniform register; no ranges: there is none
  bit_field offset;                        ///< in bytes, signed; no ranges: there is none
  bit_field bank;                          ///< of an indexed constant
  std::uint8_t uniform_bit = no_bit;       ///< only if it is set there is a uniform register
  std::uint8_t wide_bit = no_bit;          ///< base register is .64 if it is set, else .U32
  std::uint8_t descriptor_bit = no_bit;    ///< the uniform register holds a descriptor instead
  std::uint8_t descriptor_shown = no_bit;  ///< which is written only if this bit is set as well
  bool hides_zero_uniform = false;         ///< URZ is not written
  bool base_is_uniform = false;            ///< [UR4]
  bool is_wide = false;                    ///< base register is always .64
  bool hides_wide_zero = false;            ///< RZ is not written beside a uniform register, whatever its width
  choice scale;                            ///< .X4
};

/// How one operand is read and written.
struct operand_form {
  operand_kind kind = operand_kind::literal;
  bit_field field;
  std::string text;                      ///< of a literal
  std::uint8_t negate_bit = no_bit;      ///< -R2
  std::uint8_t absolute_bit = no_bit;    ///< |R2|
  std::uint8_t complement_bit = no_bit;  ///< ~R2
  std::uint8_t not_bit = no_bit;         ///< !P2
  std::uint8_t reuse_bit = no_bit;       ///< R2.reuse
  std::uint8_t shown_bit = no_bit;       ///< written only if it is set
  bool optional = false;                 ///< RZ, PT or 0 is not written
  bool joined = false;                   ///< no comma stands in front of it
  std::vector<choice> suffixes;
  address_form address;
};

/// One encoding form: what a word is, if its opcode and its conditions are those of the form.
struct form {
  std::uint8_t families = 0;          ///< bit n: code_family n has it
  std::uint16_t opcode = 0;           ///< bits 0 to 11
  isa::instruction_word mask, value;  ///< more bits that must be so
  std::string mnemonic;
  bool has_uniform_guard = false;  ///< @UP0 and not @P0
  std::vector<choice> modifiers;
  std::vector<operand_form> operands;
  bit_field power;         ///< what must be a power of two above one; no ranges: nothing
  std::uint32_t line = 0;  ///< of the table
};

}  // namespace tc::machine_code
