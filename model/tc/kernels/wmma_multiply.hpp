// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/kernels/machine_writer.hpp>

namespace tc::kernels {

/// Writes the matrix instructions of a wmma.mma as compilers do: the sets of isa::wmma_sets from Turing on, sixteen or eight HMMA.884 on
/// Volta, on Hopper and later other instructions for 4-bit integers and for XOR. If C and D differ in type, the sums are f32 and
/// conversions come before or behind. Throws isa::syntax_error if the registers do not fit the operands of those instructions.
void write_wmma_multiply(const wmma_instruction& instruction, machine_writer& out);

}  // namespace tc::kernels
