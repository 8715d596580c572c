// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/modifiers.hpp>

namespace tc::lanes {

/// Two predicates of all lanes, a bit for each, combined as a comparison does it with its last operand.
inline std::uint32_t combined(isa::boolean_operation operation, std::uint32_t a, std::uint32_t b) {
  switch (operation) {
    case isa::boolean_operation::disjunction:
      return a | b;
    case isa::boolean_operation::exclusive_or:
      return a ^ b;
    default:
      return a & b;
  }
}

}  // namespace tc::lanes
