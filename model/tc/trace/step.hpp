// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/instruction.hpp>
#include <tc/trace/address_list.hpp>

namespace tc::trace {

/// Distance of consecutive instructions' pcs, from Volta on (Jia et al., arXiv 1804.06826).
inline constexpr std::uint32_t instruction_bytes = 16;

/// One executed instruction of one warp: what was executed, and what only the run knew about it.
struct step {
  const isa::instruction* code = nullptr;  ///< decoded text; equal texts share one, so its pc is not set
  std::uint32_t code_index = 0;            ///< place of `code` in the trace's code table, for tables beside it
  std::uint32_t pc = 0;
  lane_mask mask = all_lanes;  ///< active lanes; 0 if predicated off
  std::uint64_t line = 0;      ///< of the trace file, for messages
  address_list addresses;
};

}  // namespace tc::trace
