// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>

namespace tc::isa {

/// 32-bit registers that the general destination of `i` takes: 1, 2, 4, or 8 for f64 matrices.
unsigned destination_registers(const instruction& i);

/// 32-bit registers that source number `source` takes if it is a register. Predicates and barriers are not counted here.
unsigned source_registers(const instruction& i, unsigned source);

/// Which sources of an opcode with these modifiers are predicates. LEA.HI has a value more than its row says: the upper word of what it
/// shifts, unless .SX32 makes it.
predicate_range predicate_sources(opcode op, const modifiers& mods);

}  // namespace tc::isa
