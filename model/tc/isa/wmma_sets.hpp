// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/mma_operation.hpp>

namespace tc::isa {

/// The part of a wmma.mma that one instruction of the hardware computes, and the registers of the wmma's operands that it takes.
struct wmma_set {
  unsigned first_row = 0, rows = 0;        ///< of A and D
  unsigned first_column = 0, columns = 0;  ///< of B and D
  unsigned first_k = 0, ks = 0;
  std::vector<unsigned> a, b, c;  ///< registers of A, B and C, ascending; D has those of C
  bool transposed = false;        ///< B is the first operand of the instruction, A the second
};

/// The instructions that ptxas makes of a wmma.mma from Turing on, in its order: along m, then n, then k. A later one with the registers c
/// of an earlier one adds to its sums. Throws std::invalid_argument if it is not known how `arch` computes the operation; on Volta it is
/// done by HMMA.884, see hmma_884_work.
std::vector<wmma_set> wmma_sets(const mma_operation& mma, architecture arch);

}  // namespace tc::isa
