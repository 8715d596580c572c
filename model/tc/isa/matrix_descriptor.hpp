// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/isa/architecture.hpp>
#include <tc/isa/swizzle.hpp>

namespace tc::isa {

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
