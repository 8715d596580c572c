// SPDX-License-Identifier: Apache-2.0
#include "instruction_parser.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>

#include <tc/isa/asynchronous_parser.hpp>
#include <tc/isa/mnemonic.hpp>
#include <tc/isa/operand_parser.hpp>
#include <tc/isa/operand_roles.hpp>

namespace tc::isa {
namespace {

std::string_view skip_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(" \t")));
  return text;
}

/// Column of `part` in the text that starts at `column`.
unsigned column_of(std::string_view part, std::string_view text, unsigned column) {
  return column + static_cast<unsigned>(part.data() - text.data());
}

/// How the immediates of an instruction are written.
number_style style_of(const opcode_info& row, const modifiers& mods) {
  const bool is_bf16 = row.numbers == number_style::packed_f16 && mods.first_format == element_type::bf16;
  return is_bf16 ? number_style::packed_bf16 : row.numbers;
}

/// Takes "/*0130*/" off the front.
std::uint32_t take_pc(std::string_view& rest, const source_text& source) {
  const auto end = rest.find("*/");
  if (rest.substr(0, 2) != "/*" || end == std::string_view::npos) source.fail(rest, "an instruction starts with its pc, such as /*0130*/");
  const std::string_view digits = rest.substr(2, end - 2);
  std::uint32_t pc = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pc, 16);
  if (error != std::errc{} || stop != digits.data() + digits.size())
    source.fail(digits, "the pc is a hexadecimal number, found " + quoted(digits));
  rest = skip_blanks(rest.substr(end + 2));
  return pc;
}

/// Takes "[B------:R-:W-:-:S01]" off the front if it is there.
std::optional<control_code> take_control(std::string_view& rest, std::string_view text, unsigned column, const source_text& source) {
  if (rest.substr(0, 1) != "[") return std::nullopt;
  const auto end = rest.find(']');
  if (end == std::string_view::npos) source.fail(rest, "the control field has no closing ']'");
  const std::string_view fields = rest.substr(1, end - 1);
  const control_code control = parse_control(fields, column_of(fields, text, column));
  rest = skip_blanks(rest.substr(end + 1));
  return control;
}

}  // namespace

instruction parse_operation(std::string_view text, architecture arch, unsigned column) {
  const source_text source(text, column);
  std::string_view rest = skip_blanks(text);
  instruction result;
  if (rest.substr(0, 1) == "@") {
    const std::string_view guard = rest.substr(0, rest.find(' '));
    result.guard = parse_guard(guard, source);
    rest = skip_blanks(rest.substr(guard.size()));
  }
  if (rest.empty()) source.fail(rest, "an opcode is missing");
  result.text = rest.substr(0, rest.find_last_not_of(" \t") + 1);

  const std::string_view opcode_text = rest.substr(0, rest.find_first_of(" \t"));
  if (is_ptx_opcode(opcode_text)) {
    parse_asynchronous(result, opcode_text, rest.substr(opcode_text.size()), arch, source);
    return result;
  }
  const mnemonic decoded = parse_mnemonic(opcode_text, arch, source);
  result.op = decoded.info->op;
  result.mods = decoded.mods;
  result.mma = decoded.mma;
  const auto operands = parse_operands(rest.substr(opcode_text.size()), style_of(*decoded.info, result.mods), source);
  assign_operands(result, operands, opcode_text, source);
  return result;
}

instruction parse_instruction(std::string_view text, architecture arch, unsigned column) {
  const source_text source(text, column);
  std::string_view rest = skip_blanks(text);
  const std::uint32_t pc = take_pc(rest, source);
  const auto control = take_control(rest, text, column, source);
  instruction result = parse_operation(rest, arch, column_of(rest, text, column));
  result.pc = pc;
  result.control = control;
  return result;
}

}  // namespace tc::isa
