// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/isa/matrix_descriptor.hpp>

namespace tc::kernels {

/// Bytes after which the pattern of the 128-byte swizzle repeats (PTX ISA, "Swizzling Modes").
inline constexpr unsigned swizzle_alignment = 1024;

/// The descriptor of a K-major matrix in shared memory whose rows of 128 bytes follow each other with the 128-byte swizzle (PTX ISA,
/// "Canonical Layouts"): eight rows, a core matrix high, are 1024 bytes.
inline std::uint64_t swizzled_rows(std::uint32_t start, isa::architecture arch) {
  constexpr unsigned row_bytes = 128, group_rows = 8;
  isa::matrix_descriptor descriptor;
  descriptor.start = start;
  descriptor.leading_bytes = 16;  // not used with a swizzle
  descriptor.stride_bytes = group_rows * row_bytes;
  descriptor.swizzle = isa::swizzle_mode::bytes_128;
  return isa::encode(descriptor, arch);
}

}  // namespace tc::kernels
