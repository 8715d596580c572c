#pragma once

#include <cstdint>
#include <string_view>

namespace tc::isa {

/// Instruction-set architectures a trace may name.
enum class architecture : std::uint8_t { sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100 };

/// Base mnemonics; what follows the first dot is in `modifiers`.
enum class opcode : std::uint8_t {
  nop,
  // The isa engineer completes this list.
};

/// Execution unit that takes an instruction after operand fetch.
enum class execution_unit : std::uint8_t { none, tensor, fp32, integer, half, fp64, special_function, uniform, branch, load_store, constant_load, system };

}  // namespace tc::isa
