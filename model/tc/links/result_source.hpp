// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tc/isa/instruction.hpp>

namespace tc::links {

/// Where the result comes from that a warp waits for: by a stall count, a dependence counter or the scoreboard.
enum class result_source : std::uint8_t {
  arithmetic,     ///< units of fixed latency
  special,        ///< special functions, f64, special registers, constants
  matrix,         ///< tensor cores
  shared_memory,  ///< and whatever else goes through the load-store unit without leaving the SM
  global_memory,
};

struct result_source_info {
  result_source source;
  std::string_view key;  ///< in statistics, behind "awaited_"
};

inline constexpr std::array result_source_table{
    result_source_info{result_source::arithmetic, "arithmetic"}, result_source_info{result_source::special, "special"},
    result_source_info{result_source::matrix, "matrix"}, result_source_info{result_source::shared_memory, "shared_memory"},
    result_source_info{result_source::global_memory, "global_memory"}};

inline constexpr std::size_t result_sources = result_source_table.size();

constexpr std::size_t index(result_source source) { return static_cast<std::size_t>(source); }

/// Who makes the results of an instruction.
inline result_source source_of(const isa::instruction& code) {
  switch (isa::unit_of(code.op)) {
    case isa::execution_unit::tensor:
    case isa::execution_unit::warpgroup:
      return result_source::matrix;
    case isa::execution_unit::fp64:
    case isa::execution_unit::special_function:
    case isa::execution_unit::constant_load:
    case isa::execution_unit::system:
      return result_source::special;
    case isa::execution_unit::load_store:
    case isa::execution_unit::tensor_memory: {
      const isa::memory_space space = isa::info(code.op).memory.space;
      const bool leaves_sm = space == isa::memory_space::global || space == isa::memory_space::local || space == isa::memory_space::generic;
      return leaves_sm ? result_source::global_memory : result_source::shared_memory;
    }
    default:
      return result_source::arithmetic;
  }
}

/// Cycles by the source of the result that was waited for.
using source_cycles = std::array<std::uint64_t, result_sources>;

}  // namespace tc::links
