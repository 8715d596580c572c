// SPDX-License-Identifier: Apache-2.0
#include "gemm_code.hpp"

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>

namespace tc::kernels {

std::string text_of(const kernel_instruction& instruction) {
  return fmt::format("[{}] {}", isa::text_of(*instruction.code.control), instruction.code.text);
}

kernel_instruction& code_writer::add(std::string_view text) {
  kernel_instruction& instruction = block_.instructions.emplace_back();
  instruction.code = isa::parse_operation(text, arch_);
  // Compiled code leaves five cycles behind what may leave a block or wait for other warps.
  constexpr std::uint8_t control_flow_stall = 5;
  const isa::opcode_info& row = isa::info(instruction.code.op);
  if (row.unit == isa::execution_unit::branch || row.role == isa::issue_role::arrives_at_barrier)
    instruction.least_stall = control_flow_stall;
  return instruction;
}

kernel_instruction& code_writer::add(std::string_view text, std::uint8_t barrier) {
  kernel_instruction& instruction = add(text);
  instruction.barrier = barrier;
  return instruction;
}

kernel_instruction& code_writer::add(std::string_view text, std::uint8_t barrier, const memory_operand& memory) {
  kernel_instruction& instruction = add(text, barrier);
  instruction.memory = memory;
  return instruction;
}

std::string register_list(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "" : ", ", first + i);
  return text + '}';
}

}  // namespace tc::kernels
