// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// The dotted parts behind the mnemonic in the name of an instruction of PTX, such as ".sync.aligned", taken one after the other in PTX's
/// order. An error names all that could have stood at its place.
class qualifier_list {
 public:
  /// `text` is empty or begins with a dot; a part of `source`.
  qualifier_list(std::string_view text, const source_text& source) : rest_(text), source_(&source) {}

  /// Whether all qualifiers have been taken.
  bool at_end() const { return rest_.empty(); }
  /// Takes the next qualifier if it is one of `choices`; empty if it is not.
  std::string_view take(std::initializer_list<std::string_view> choices);
  bool take(std::string_view choice) { return !take({choice}).empty(); }
  /// Takes the next qualifier, which must be one of `choices`. Throws syntax_error.
  std::string_view require(std::initializer_list<std::string_view> choices);
  /// Takes the next qualifier, whatever it is. Throws syntax_error if there is none; `what` names it.
  std::string_view next(std::string_view what);
  /// Throws syntax_error if anything is left.
  void finish();

 private:
  std::string_view front() const;
  [[noreturn]] void fail() const;

  std::string_view rest_;
  const source_text* source_;
  std::vector<std::string_view> expected_;  ///< what could have stood at the begin of rest_
};

/// Bytes, of an mbarrier in shared memory (PTX ISA, "Size and alignment of mbarrier object").
inline constexpr unsigned mbarrier_alignment = 8;

/// The operands of an instruction of PTX as a trace writes them, with numbers for addresses, descriptors and sizes, taken one after the
/// other. All errors are syntax_errors at the operand.
class ptx_operand_list {
 public:
  /// `text` holds the operands, a part of `source`; `form` says in messages how the instruction looks.
  ptx_operand_list(std::string_view text, std::string form, const source_text& source);

  /// Whether all operands have been taken.
  bool at_end() const { return at_end_; }
  /// First character of the next operand; '\0' if there is none or it is empty.
  char peek() const;
  /// The text of the next operand, which `what` names in messages, as it does below.
  std::string_view next(std::string_view what);
  std::uint64_t number(std::string_view what, std::uint64_t least, std::uint64_t most);
  /// A decimal or hexadecimal number with an optional minus sign.
  std::int64_t signed_number(std::string_view what, std::int64_t least, std::int64_t most);
  /// The operands between the brackets of "[0x10]".
  ptx_operand_list bracketed(std::string_view what);
  /// The operands between the braces of "{0, 16}".
  ptx_operand_list braced(std::string_view what);
  /// "[0x10]": an address in the CTA's window that is a multiple of `alignment`.
  std::uint32_t shared_address(std::string_view what, unsigned alignment);
  /// "[0x10000]": an address in global memory that is a multiple of `alignment`.
  std::uint64_t global_address(std::string_view what, unsigned alignment);
  /// "[0x200040]": an address in tensor memory, of 32 bits, which is not judged.
  std::uint32_t tensor_address(std::string_view what);
  /// "{R4, R5}": numbers of `count` vector registers. RZ is one of them if `constant` may be.
  std::vector<std::uint8_t> registers(std::string_view what, std::size_t count, bool constant);
  /// An error if an operand is left.
  void finish() const;

  /// An error in the operand taken last.
  [[noreturn]] void fail(const std::string& message) const { source_->fail(taken_, message); }

 private:
  std::uint64_t address(std::string_view what, std::uint64_t most, unsigned alignment);
  ptx_operand_list enclosed(std::string_view what, char open, char close);

  std::string_view rest_, taken_;
  bool at_end_;
  std::string form_;
  const source_text* source_;
};

/// An instruction of PTX taken apart: what its parser still has to read.
struct ptx_statement {
  opcode op = opcode::nop;
  architecture arch = architecture::sm_90;
  qualifier_list qualifiers;  ///< behind the mnemonic
  std::string_view operands;
  const source_text& source;  ///< that all of it is part of
};

}  // namespace tc::isa
