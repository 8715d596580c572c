// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// Whether the text of an opcode is written as in PTX: lower case, with a dot.
bool is_ptx_opcode(std::string_view opcode_text);

/// Decodes an instruction of PTX for the asynchronous units into `i`, whose guard is known. `opcode_text` and `operands` are parts of
/// `source`. Throws syntax_error: unknown instruction, one that `arch` does not have, a qualifier or an operand that it does not take.
void parse_asynchronous(instruction& i, std::string_view opcode_text, std::string_view operands, architecture arch,
                        const source_text& source);

}  // namespace tc::isa
