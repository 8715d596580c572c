// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/kernels/gemm_problem.hpp>

namespace tc::kernels {

/// One machine instruction of a matrix step, with the registers it takes counted from the first one of each operand.
struct matrix_instruction {
  std::string mnemonic;
  unsigned a = 0, b = 0, c = 0;
};

/// The smallest product of tiles that a warp computes: one matrix instruction, or on Volta the sets and steps of HMMA.884 that a 128-bit
/// load of a lane feeds.
struct matrix_step {
  isa::mma_operation operation;  ///< types, and k after which the sums are elements of D again
  unsigned m = 0, n = 0, k = 0;
  unsigned a_registers = 0, b_registers = 0, d_registers = 0;
  isa::fragment_layout a, b, d;  ///< of the first registers that k takes; those of A and B may lay out more than `k`
  std::vector<matrix_instruction> instructions;
  unsigned latency_cycles = 0;    ///< that compiled code leaves between dependent instructions
  unsigned interval_cycles = 0;   ///< that compiled code leaves between independent ones
  bool announces_result = false;  ///< compiled code waits for the result with a barrier: its latency is not known
  bool loads_matrices = true;     ///< fragments come from shared memory by LDSM, else by LDS
};

/// Shapes, as the mnemonic spells them, that an architecture has for a precision; the largest first.
std::vector<std::string> matrix_shapes(const gemm_precision& precision, isa::architecture arch);

/// The largest step whose k divides `k`. Throws gemm_error if the architecture or its tensor cores do not have the precision, or no shape
/// divides k.
matrix_step choose_matrix_step(const gemm_precision& precision, isa::architecture arch, unsigned k,
                               const config::tensor_core_parameters& tensor_core);

/// Multiply-accumulates that the dot-product units of a sub-core do in a cycle.
double multiply_accumulates_per_cycle(const gemm_precision& precision, const config::tensor_core_parameters& tensor_core);

}  // namespace tc::kernels
