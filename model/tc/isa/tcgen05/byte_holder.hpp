// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/element_type.hpp>

namespace tc::isa {

/// The lowest bit of an element of 6 bits in a byte of tensor memory: CUTLASS has bits 6 to 1. In registers of mma.sync they are bits 5 to
/// 0.
inline constexpr unsigned default_fp6_position = 1;

/// The lowest bit of an element that has a byte of tensor memory to itself (CUTLASS; e2m1 also PTX ISA): 2 of e2m1, `fp6_position` of
/// elements of 6 bits, 0 of those that fill their byte.
constexpr unsigned bit_in_byte(element_type type, unsigned fp6_position = default_fp6_position) {
  if (type == element_type::e2m1) return 2;
  return type == element_type::e3m2 || type == element_type::e2m3 ? fp6_position : 0;
}

}  // namespace tc::isa
