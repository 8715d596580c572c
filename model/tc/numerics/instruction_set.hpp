// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tc::numerics {

/// Instructions that the vector kernels are compiled for, the smallest set first. `portable` is what the compiler's target always has.
enum class instruction_set : std::uint8_t { portable, avx2, avx512 };

std::string_view name(instruction_set set);

/// Those that this machine executes, in order.
std::vector<instruction_set> instruction_sets();

/// The set of that name. Throws std::invalid_argument, which says what there is, if none has it or if this machine does not execute it.
instruction_set find_instruction_set(std::string_view name);

/// What the vector kernels use unless they are told: the last of instruction_sets(), or the one that the environment variable
/// TCSIM_INSTRUCTION_SET names. No bit of a result depends on it; it is there so that this can be shown. The environment is read once.
/// Throws std::invalid_argument as find_instruction_set() does.
instruction_set chosen_instruction_set();

}  // namespace tc::numerics
