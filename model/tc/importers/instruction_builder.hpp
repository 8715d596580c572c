// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <tc/importers/accelsim_instruction.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction.hpp>

namespace tc::importers {

/// What a recording says about an instruction: its opcode and the first register of each operand that is in vector registers. Immediates,
/// constants, predicates and uniform registers are not recorded, and neither is which operand a register was.
struct recorded_operands {
  std::string_view opcode;  ///< with its modifiers
  register_list destinations, sources;
  bool has_immediate = false;  ///< one is known to be there, or nothing is known about it
};

/// Writes "OPCODE operands" so that the instruction reads and writes the registers of a recording, as many of each operand as the opcode
/// takes, and no others:
/// - A destination behind a predicate stands first among the recorded sources, and an operand that is first in an instruction without a
///   general destination among the destinations: the tracer takes the first operand for the destination.
/// - Of two registers for three operands the second is the third operand if there is an immediate, which compiled code has in the middle;
///   otherwise they are the first two.
/// - What is not recorded is the immediate 0, RZ, URZ, PT, SRZ, c[0x0][0x0], B0 or SB0: operands that nothing is waited for.
/// - The address of a 64-bit access whose base register is odd is a 32-bit offset, to uniform registers that are not recorded.
/// Throws isa::syntax_error if `arch` has no such opcode.
std::string instruction_text(const recorded_operands& recorded, isa::architecture arch);

/// The mnemonic of the access to shared memory that does what a load or store by generic addresses does; empty for other instructions.
std::string shared_memory_opcode(const isa::instruction& generic);

}  // namespace tc::importers
