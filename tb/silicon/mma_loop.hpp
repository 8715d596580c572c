// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// Latency and throughput of an A100's matrix instructions, measured as Sun et al. did (arXiv 2206.02874, tables 3 to 5): a loop of mma.sync
// on so many independent accumulators and a __syncwarp; the latency is that of one iteration.

namespace tc::silicon {

struct mma_loop {
  std::string instruction;   ///< such as "HMMA.16816.F32"
  unsigned d_registers = 0;  ///< of an accumulator
  unsigned accumulators = 0;
};

/// Cycles of an iteration with so many warps on an SM. Throws std::runtime_error if the loop has hazards.
double cycles_of(const mma_loop& loop, unsigned warps);

/// Multiply-accumulates of one iteration and warp.
unsigned multiply_accumulates_of(const mma_loop& loop);

}  // namespace tc::silicon
