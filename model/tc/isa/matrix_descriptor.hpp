// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tc/isa/architecture.hpp>

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

/// A field of a descriptor: `width` bits, fewer than 64, from `first` up.
struct bit_field {
  unsigned first = 0, width = 1;

  constexpr unsigned last() const { return first + width - 1; }
  constexpr std::uint64_t largest() const { return (std::uint64_t{1} << width) - 1; }
  constexpr std::uint64_t mask() const { return largest() << first; }
  constexpr std::uint64_t take(std::uint64_t bits) const { return (bits & mask()) >> first; }
};

/// The direction in which a matrix is contiguous: K, or M of A and N of B ("MN-major").
enum class matrix_major : std::uint8_t { k, mn };

/// The 64-bit descriptor of a matrix in shared memory, as wgmma and tcgen05 take it (PTX ISA, "Matrix Descriptor Format").
struct matrix_descriptor {
  std::uint32_t start = 0;          ///< byte address, a multiple of 16, below 2^18
  std::uint32_t leading_bytes = 0;  ///< leading dimension byte offset, a multiple of 16, below 2^18
  std::uint32_t stride_bytes = 0;   ///< stride dimension byte offset, a multiple of 16, below 2^18
  std::uint8_t base_offset = 0;     ///< of the swizzle pattern's start, in units of 128 bytes, 0 to 7
  swizzle_mode swizzle = swizzle_mode::none;
};

constexpr bool operator==(const matrix_descriptor& x, const matrix_descriptor& y) {
  return x.start == y.start && x.leading_bytes == y.leading_bytes && x.stride_bytes == y.stride_bytes && x.base_offset == y.base_offset &&
         x.swizzle == y.swizzle;
}

/// Why 64 bits are no matrix descriptor of an architecture: a reserved bit, a swizzle that it does not have, or a base offset where
/// nothing is swizzled. Empty if they are one.
std::string descriptor_mistake(std::uint64_t bits, architecture arch);

/// The fields of a descriptor. Throws std::invalid_argument with descriptor_mistake().
matrix_descriptor decode_matrix_descriptor(std::uint64_t bits, architecture arch);

/// The bits of a descriptor. Throws std::invalid_argument for fields that are no multiples of 16, or too large, or that the architecture
/// does not have.
std::uint64_t encode(const matrix_descriptor& descriptor, architecture arch);

}  // namespace tc::isa
