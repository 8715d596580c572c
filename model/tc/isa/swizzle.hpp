// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

namespace tc::isa {

/// How 16-byte units of a matrix in shared memory change places within rows of 32, 64 or 128 bytes, so that eight rows of one unit lie in
/// different banks (PTX ISA, "Shared Memory Matrix Layout"; the functions are those of CuTe's Swizzle<B, M, S>).
enum class swizzle_mode : std::uint8_t {
  none,
  bytes_32,           ///< address bit 4 ^= bit 7
  bytes_64,           ///< bits 5:4 ^= bits 8:7
  bytes_128,          ///< bits 6:4 ^= bits 9:7
  bytes_128_atom_32,  ///< bits 6:5 ^= bits 8:7: units of 32 bytes; Blackwell only
};

/// "none", "32B", "64B", "128B", "128B_ATOM_32B".
std::string_view name(swizzle_mode mode);

/// Bytes of a row within which units change places: 32, 64 or 128; of `none` those of a unit, 16.
unsigned row_bytes(swizzle_mode mode);

/// Where the byte lies that would be at `address` without swizzle. Both are addresses in shared memory, not offsets in a matrix. The
/// pattern begins `base_offset` x 128 bytes behind a multiple of its size. The function is its own inverse.
std::uint32_t swizzle_address(std::uint32_t address, swizzle_mode mode, unsigned base_offset = 0);

}  // namespace tc::isa
