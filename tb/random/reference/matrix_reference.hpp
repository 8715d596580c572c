// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/instruction.hpp>

#include "warp_state.hpp"

namespace tcsim::random_programs {

/// Executes a matrix multiply-accumulate of registers: one dot product after the other.
void multiply_registers(const tc::isa::instruction& code, const tc::config::arithmetic_parameters& arithmetic, warp_state& warp);

/// Executes a warp's part of wgmma.mma_async; `rank` is its number in the warpgroup. Shared memory is that of the CTA.
void multiply_shared(const tc::isa::wgmma_operation& operation, unsigned rank, const std::vector<std::uint8_t>& shared,
                     const tc::config::arithmetic_parameters& arithmetic, warp_state& warp);

}  // namespace tcsim::random_programs
