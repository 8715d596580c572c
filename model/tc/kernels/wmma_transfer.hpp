// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/kernels/machine_writer.hpp>

namespace tc::kernels {

/// Writes the loads of a wmma.load, with the addresses that the fragment's layout asks for, as wide as memory and registers allow. What
/// lies in memory in the other order is put in place as compilers do: halves by MOVM from Turing on, bytes by PRMT.
void write_wmma_load(const wmma_instruction& instruction, machine_writer& out);

/// Writes the stores of a wmma.store.
void write_wmma_store(const wmma_instruction& instruction, machine_writer& out);

}  // namespace tc::kernels
