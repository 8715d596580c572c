// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "instruction_templates.hpp"

namespace tcsim::random_programs {

/// Bytes of shared memory that hold operands of any type.
struct operand_area {
  std::uint32_t begin = 0, end = 0;
};

/// What the warps of a warpgroup execute to multiply matrices in shared memory once or several times: the fence, the instructions, and
/// waits for all of them. Empty if the area is too small for what was drawn.
std::vector<std::string> random_warpgroup_instructions(random_numbers& random, const operand_area& area);

}  // namespace tcsim::random_programs
