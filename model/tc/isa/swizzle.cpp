// SPDX-License-Identifier: Apache-2.0
#include "swizzle.hpp"

#include <array>
#include <cstddef>

namespace tc::isa {
namespace {

/// Address bits from `line_bit` up, as many as `bits`, change those from `unit_bit` up.
struct swizzle_row {
  std::string_view name;
  unsigned row_bytes, bits, unit_bit;
};

constexpr unsigned line_bit = 7;

constexpr std::array<swizzle_row, 5> swizzle_rows{{
    {"none", 16, 0, 4},
    {"32B", 32, 1, 4},
    {"64B", 64, 2, 4},
    {"128B", 128, 3, 4},
    {"128B_ATOM_32B", 128, 2, 5},
}};

const swizzle_row& row_of(swizzle_mode mode) { return swizzle_rows.at(static_cast<std::size_t>(mode)); }

}  // namespace

std::string_view name(swizzle_mode mode) { return row_of(mode).name; }

unsigned row_bytes(swizzle_mode mode) { return row_of(mode).row_bytes; }

std::uint32_t swizzle_address(std::uint32_t address, swizzle_mode mode, unsigned base_offset) {
  const swizzle_row& row = row_of(mode);
  const std::uint32_t line = ((address >> line_bit) - base_offset) & ((1U << row.bits) - 1U);
  return address ^ line << row.unit_bit;
}

}  // namespace tc::isa
