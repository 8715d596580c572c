// SPDX-License-Identifier: Apache-2.0
#include "code_decoder.hpp"

#include <tc/isa/barrier_arrival.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/trace/instruction_check.hpp>
#include <tc/trace/memory_access.hpp>

namespace tc::trace {
namespace {

/// Throws isa::syntax_error.
isa::instruction decode(std::string_view code, const kernel_header& header) {
  if (code.substr(0, 1) != "[") return isa::parse_operation(code, header.arch, 1, header.matrix_shapes);
  const std::size_t close = code.find(']');
  if (close == std::string_view::npos) throw isa::syntax_error(1, "the control field has no closing ']'");
  const isa::control_code control = isa::parse_control(code.substr(1, close - 1), 2);
  isa::instruction instruction =
      isa::parse_operation(code.substr(close + 1), header.arch, static_cast<unsigned>(close + 2), header.matrix_shapes);
  instruction.control = control;
  return instruction;
}

/// Which warps meet must not depend on values, which a run for timing alone does not have.
void check_barrier(const isa::instruction& bar, const instruction_line& parts, const text_cursor& in) {
  if (!isa::barrier_operands_of(bar).have_registers()) return;
  const std::size_t operands = bar.text.find_first_not_of(" \t", bar.text.find_first_of(" \t"));
  in.fail_at(
      parts.code_position + parts.code.find(bar.text) + operands,
      "a trace says which barrier it is, and for how many threads: write the numbers that the register holds, as in BAR.SYNC 0x1, 0x40");
}

}  // namespace

code_entry decode_code(std::string_view code, const kernel_header& header, unsigned registers, const instruction_line& parts,
                       const text_cursor& in) {
  code_entry entry;
  try {
    entry.instruction = decode(code, header);
  } catch (const isa::syntax_error& error) {
    in.fail_at(parts.code_position + error.column() - 1, error.what());
  }
  check_registers(entry.instruction, registers, parts, in);
  if (isa::role_of(entry.instruction.op) == isa::issue_role::arrives_at_barrier) check_barrier(entry.instruction, parts, in);
  if (entry.instruction.asynchronous) check_asynchronous_operands(entry.instruction, header, parts, in);
  entry.access = access_of(entry.instruction);
  entry.line = in.line().number;
  return entry;
}

}  // namespace tc::trace
