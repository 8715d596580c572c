#pragma once

#include <cstdint>
#include <string>

#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>

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

/// The direction in which a matrix is contiguous: K, or M of A and N of B ("MN-major").
enum class matrix_major : std::uint8_t { k, mn };

/// The 64-bit descriptor of a matrix in shared memory, as wgmma and tcgen05 take it (PTX ISA, "Matrix Descriptor Format").
struct matrix_descriptor {
  std::uint32_t start = 0;          ///< byte address, a multiple of 16, below 2^18
  std::uint32_t leading_bytes = 0;  ///< leading dimension byte offset, a multiple of 16
  std::uint32_t stride_bytes = 0;   ///< stride dimension byte offset, a multiple of 16
  std::uint8_t base_offset = 0;     ///< of the swizzle pattern's start, in units of 128 bytes, 0 to 7
  swizzle_mode swizzle = swizzle_mode::none;
};

}  // namespace tc::isa
