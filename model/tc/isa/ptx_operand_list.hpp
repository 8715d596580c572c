// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/source_text.hpp>

namespace tc::isa {

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

}  // namespace tc::isa
