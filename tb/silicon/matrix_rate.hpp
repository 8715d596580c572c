// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

// Kernels that do nothing but matrix instructions, against the rates that vendors publish.

namespace tc::silicon {

/// A stream of one matrix instruction.
struct matrix_stream {
  std::string machine, arch, instruction;
  unsigned accumulators = 0;  ///< of a warp, independent of each other
  unsigned d_registers = 0;   ///< of each
};

/// Multiply-accumulates of an SM in a cycle: two warps of each sub-core, rounds of one instruction for each accumulator between two clock
/// reads.
double multiply_accumulates_per_cycle(const matrix_stream& stream);

/// The published rate of a part.
struct matrix_rate {
  std::string part;
  matrix_stream stream;
  double tera = 0;                ///< operations per second
  double sms = 0, clock_mhz = 0;  ///< of the part
};

/// What the part reaches in the model, in tera-operations per second.
double tera_operations(const matrix_rate& rate);

/// The rates in NVIDIA's white papers of Volta (SXM2), Turing, A100 and H100. An H100 gives mma.sync two thirds of the paper's: six cycles
/// for what its units do in four. Its f64 units reach theirs with sixteen rows, and half of it with eight (intervals recorded on an H200).
std::vector<matrix_rate> published_rates();

}  // namespace tc::silicon
