// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "experiment.hpp"
#include "listing.hpp"

namespace tc::validation {

/// A matrix instruction and the registers of its D.
struct matrix_instruction {
  std::string opcode;
  unsigned d_registers = 0;
};

/// One copy that adds to its own result, and several that add to results of their own.
silicon::listing dependent(const matrix_instruction& instruction);
silicon::listing independent(const matrix_instruction& instruction);

/// Latencies and intervals that NVIDIA's assembler gives the matrix instructions of an architecture.
study compiled_schedule_study(const std::string& generation, const std::string& machine, const std::string& arch);

}  // namespace tc::validation
