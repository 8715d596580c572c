// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::isa {

/// A field of a descriptor: `width` bits, fewer than 64, from `first` up.
struct bit_field {
  unsigned first = 0, width = 1;

  constexpr unsigned last() const { return first + width - 1; }
  constexpr std::uint64_t largest() const { return (std::uint64_t{1} << width) - 1; }
  constexpr std::uint64_t mask() const { return largest() << first; }
  constexpr std::uint64_t take(std::uint64_t bits) const { return (bits & mask()) >> first; }
};

}  // namespace tc::isa
