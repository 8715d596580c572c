// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/isa/mma_operation.hpp>
#include <tc/kernels/machine_writer.hpp>

namespace tc::kernels {

/// The registers of an m8n8 multiplication: one of A, one of B, two of C and D.
struct small_multiply {
  unsigned a = 0, b = 0;
  std::vector<unsigned> c, d;
};

/// 4-bit integers where the tensor cores have none, from Hopper on: as compilers do, the even and the odd places of k become bytes, and two
/// IMMA.8816 multiply them.
void write_nibble_multiply(const isa::mma_operation& mma, const small_multiply& registers, machine_writer& out);

/// XOR where the tensor cores have AND alone, from Hopper on: a xor b is "a and not b" or "b and not a", which are counted by themselves,
/// as compilers do.
void write_exclusive_or_multiply(const small_multiply& registers, machine_writer& out);

}  // namespace tc::kernels
