// SPDX-License-Identifier: Apache-2.0
#include "operand_values.hpp"

#include <array>

#include <tc/lanes/warp_operations.hpp>

namespace tc::subcore {

lanes::lane_operands::source_list lane_sources_of(const links::warp_instruction& instruction) {
  lanes::lane_operands::source_list sources{};
  for (unsigned s = 0; s < instruction.code().source_count; ++s) {
    const links::source_value& value = instruction.sources[s];
    if (value.count > 0) sources[s].low = &instruction.operand(s, 0);
    if (value.count > 1) sources[s].high = &instruction.operand(s, 1);
    sources[s].predicate = value.predicate;
  }
  return sources;
}

void inherit_undefined_of_warp(links::warp_instruction& instruction) {
  std::array<std::uint32_t, isa::instruction::max_sources> undefined{};
  for (unsigned s = 0; s < instruction.code().source_count; ++s) {
    undefined[s] = instruction.sources[s].undefined_lanes;
    if (undefined[s] != 0) instruction.origin = instruction.sources[s].origin;
  }
  instruction.undefined_lanes = lanes::undefined_result(instruction.code(), lane_sources_of(instruction), instruction.step.mask, undefined);
}

}  // namespace tc::subcore
