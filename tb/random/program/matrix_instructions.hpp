// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/mma_operation.hpp>

#include "instruction_templates.hpp"

namespace tcsim::random_programs {

/// A matrix instruction of registers that a machine executes.
struct matrix_form {
  std::string mnemonic;
  tc::isa::mma_operation mma;
  bool has_layouts;  ///< .ROW and .COL behind A and B
};

std::vector<matrix_form> matrix_forms(const tc::config::machine& machine, tc::isa::architecture arch);

/// An instruction, or all steps of one of Volta, with random registers.
std::vector<std::string> random_matrix_instructions(const matrix_form& form, random_numbers& random);

/// Bytes of shared memory that hold operands of any type.
struct operand_area {
  std::uint32_t begin = 0, end = 0;
};

/// What the warps of a warpgroup execute to multiply matrices in shared memory once or several times: the fence, the instructions, and
/// waits for all of them. Empty if the area is too small for what was drawn.
std::vector<std::string> random_warpgroup_instructions(random_numbers& random, const operand_area& area);

}  // namespace tcsim::random_programs
