// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

// Loops of 64 independent matrix instructions with LOP3 between them, compiled for and recorded on an H200, in the model.

namespace tc::silicon {

struct mma_lop3_loop {
  std::string operation;  ///< matrix instruction
  std::string
      sources;        ///< what every LOP3 reads besides its own last result: the "fragments" A and B of the matrix instruction, or "others"
  unsigned lop3 = 0;  ///< to each matrix instruction
  long cycles = 0;    ///< recorded between the clock reads

  std::string name() const { return operation + "." + sources + "." + std::to_string(lop3); }
};

/// The rows of h200_mma_lop3.csv, which the project holds.
std::vector<mma_lop3_loop> mma_lop3_loops();

/// Cycles in the model. Throws std::runtime_error if the loop does not finish.
long cycles_of(const mma_lop3_loop& loop);

}  // namespace tc::silicon
