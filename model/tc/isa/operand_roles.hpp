// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/isa/operand_parser.hpp>

namespace tc::isa {

/// Sorts an operand list into the destinations and sources of `i` (whose opcode and modifiers are set), fills in register counts, slots and
/// register uses, and checks kinds, number, range and alignment. Throws syntax_error.
void assign_operands(instruction& i, const std::vector<parsed_operand>& operands, std::string_view opcode_text, const source_text& source);

}  // namespace tc::isa
