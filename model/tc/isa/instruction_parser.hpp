// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// Decodes "[@predicate] OPCODE operands", of a machine instruction or of one of PTX for the asynchronous units. `column` is that of the
/// first character, for errors. Throws syntax_error: unknown opcode or modifier, one that `arch` does not have, an operand of the wrong
/// kind, too many or too few of them, a register that does not exist or is not aligned for its operand. Every architecture has the matrix
/// instructions that `shapes` declares.
instruction parse_operation(std::string_view text, architecture arch, unsigned column = 1,
                            const matrix_shape_table& shapes = matrix_shape_table::hardware());

/// Decodes "/*pc*/ [control] [@predicate] OPCODE operands", the control field in its own brackets and optional. Throws syntax_error.
instruction parse_instruction(std::string_view text, architecture arch, unsigned column = 1);

}  // namespace tc::isa
