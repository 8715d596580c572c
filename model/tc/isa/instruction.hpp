// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <tc/isa/asynchronous_operation.hpp>
#include <tc/isa/control_code.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/modifiers.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/register_use.hpp>

namespace tc::isa {

/// A bracketed address. The trace records the addresses themselves, so this names only what the instruction reads to form them.
struct memory_reference {
  std::uint8_t base = zero_register;                ///< first vector register of the base, RZ if there is none
  std::uint8_t base_count = 0;                      ///< registers of the base: 0, 1, or 2 for a 64-bit address
  std::uint8_t scale = 1;                           ///< index scale of [R.X4], [R.X8], [R.X16]
  std::uint8_t uniform = zero_uniform_register;     ///< uniform register added to the base, URZ if there is none
  std::uint8_t uniform_count = 0;                   ///< registers of it: 0, 1 or 2
  std::uint8_t descriptor = zero_uniform_register;  ///< uniform register pair of desc[UR] or cx[UR], URZ if there is none
  std::int32_t offset = 0;                          ///< byte offset
};

/// Part of a register that an operand names: .H0_H0 takes the low half twice, .B2 the third byte.
enum class register_part : std::uint8_t { whole, low_half, high_half, byte_0, byte_1, byte_2, byte_3 };

/// One operand as the disassembler prints it.
struct operand {
  enum class kind : std::uint8_t { none, reg, immediate, constant, memory, special, label };

  kind what = kind::none;
  register_file file = register_file::none;  ///< of a register operand
  std::uint8_t index = 0;                    ///< register number, or special-register number (enum special_register)
  std::uint8_t count = 0;                    ///< consecutive registers read or written, also of RZ
  std::uint8_t slot = no_slot;               ///< operand slot of the reuse cache: 0 = A, 1 = B, 2 = C
  bool reuse = false;                        ///< .reuse
  bool negated = false;                      ///< -R
  bool inverted = false;                     ///< ~R, or !P
  bool absolute = false;                     ///< |R|
  register_part part = register_part::whole;
  std::uint8_t bank = 0;      ///< constant bank of c[bank][offset]
  std::uint32_t value = 0;    ///< immediate bits, or byte offset in the constant bank
  memory_reference memory{};  ///< of a memory operand, and of an indexed constant

  static constexpr std::uint8_t no_slot = tc::isa::no_slot;

  bool is_register(register_file f) const { return what == kind::reg && file == f; }
  bool is_predicate() const { return is_register(register_file::predicate) || is_register(register_file::uniform_predicate); }
  /// True if the operand occupies vector registers: RZ does not.
  bool reads_vector_registers() const { return is_register(register_file::vector) && index != zero_register; }
};

/// The predicate in front of an instruction. The trace's mask already holds its effect; it is kept as a register dependence.
struct guard_predicate {
  register_file file = register_file::predicate;
  std::uint8_t index = true_predicate;
  bool inverted = false;
};

/// One decoded machine instruction: everything but what only a run knows (mask and addresses, see tc::trace).
struct instruction {
  static constexpr unsigned max_destinations = 4, max_sources = 8;

  std::uint32_t pc = 0;
  opcode op = opcode::nop;
  modifiers mods{};
  std::optional<mma_operation> mma;                            ///< of a matrix multiply-accumulate
  std::shared_ptr<const asynchronous_operation> asynchronous;  ///< of an instruction of PTX for the asynchronous units; null: none
  guard_predicate guard{};
  std::optional<control_code> control;  ///< absent: the scoreboard decides
  std::array<operand, max_destinations> destinations{};
  std::array<operand, max_sources> sources{};
  std::uint8_t destination_count = 0, source_count = 0;
  register_use_list reads;  ///< of the sources, of addresses and of the guard
  register_use_list writes;
  std::string text;  ///< opcode and operands as written, for messages
};

/// The warpgroup operation of an instruction, nullptr if it is none.
inline const wgmma_operation* wgmma_of(const instruction& i) {
  return i.asynchronous ? std::get_if<wgmma_operation>(i.asynchronous.get()) : nullptr;
}

/// The operation on tensor memory of an instruction, nullptr if it is none.
inline const tcgen05_operation* tcgen05_of(const instruction& i) {
  return i.asynchronous ? std::get_if<tcgen05_operation>(i.asynchronous.get()) : nullptr;
}

/// The matrix operation of an instruction, nullptr if it is none.
inline const mma_operation* mma_of(const instruction& i) { return i.mma ? &*i.mma : nullptr; }

}  // namespace tc::isa
