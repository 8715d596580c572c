// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/opcode.hpp>

namespace tc::execution {

/// What an execution did.
struct execution_counts {
  std::array<std::uint64_t, isa::max_opcodes> instructions{};  ///< of warps, by opcode
  std::uint64_t warpgroup_products = 0;                        ///< which have no opcode of their own
  std::uint64_t lanes = 0;                                     ///< lanes that executed an instruction
  std::uint64_t partial = 0;             ///< instructions that were executed while not all lanes that had not ended were together
  std::uint64_t divergent_branches = 0;  ///< branches that some lanes took and others did not
  std::uint64_t warps = 0, ctas = 0;

  std::uint64_t total() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : instructions) sum += count;
    return sum;
  }
};

}  // namespace tc::execution
