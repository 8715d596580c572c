// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/instruction_set.hpp>
#include <tc/numerics/simd/kernels.hpp>

namespace tc::numerics {

/// The vector kernels for instructions that this machine executes.
const simd::kernel_set& kernels_of(instruction_set set);

}  // namespace tc::numerics
