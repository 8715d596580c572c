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
/// The last of them.
instruction_set best_instruction_set();

}  // namespace tc::numerics
