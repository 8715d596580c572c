// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include <tc/isa/swizzle.hpp>

namespace tc::engine {

/// Where bytes of a bulk copy are to lie in shared memory.
struct shared_place {
  std::uint64_t window = 0;  ///< where the CTA's window begins in the shared memory of the SM
  std::uint32_t first = 0;   ///< address of the first byte in the window, before swizzling
  std::uint32_t bytes = 0;
  isa::swizzle_mode swizzle = isa::swizzle_mode::none;
};

/// Calls visit(address, offset, count) for each run of bytes that follow each other in shared memory after swizzling: `count` bytes at an
/// address of the SM, which are those from `offset` on. No run crosses a multiple of `row_bytes`, the width of all banks.
template <class Visitor>
void for_each_shared_run(const shared_place& place, std::uint32_t row_bytes, Visitor&& visit) {
  constexpr std::uint32_t unit_bytes = 16;  // keeps together (PTX ISA, "Swizzling Modes")
  const auto address_of = [&place](std::uint32_t offset) {
    return place.window + isa::swizzle_address(place.first + offset, place.swizzle);
  };
  for (std::uint32_t begin = 0, end = 0; begin < place.bytes; begin = end) {
    const std::uint64_t address = address_of(begin);
    do {
      end = std::min(end + unit_bytes - (place.first + end) % unit_bytes, place.bytes);
    } while (end < place.bytes && address_of(end) == address + (end - begin) && address_of(end) % row_bytes != 0);
    visit(address, begin, end - begin);
  }
}

}  // namespace tc::engine
