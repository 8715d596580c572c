// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "random_numbers.hpp"

namespace tc::tensor_programs {

/// A matrix in shared memory, in one of the canonical layouts of the PTX ISA ("Shared memory matrix layout").
struct shared_tile {
  enum class swizzle : std::uint8_t { none, of_32, of_64, of_128, of_128_in_32 };

  std::uint32_t start = 0, leading_bytes = 16, stride_bytes = 128;
  swizzle mode = swizzle::none;
  bool is_k_major = true;
  unsigned element_bytes = 1;

  /// The matrix descriptor.
  std::uint64_t descriptor() const;
  /// Where element (row, k) is. Rows are those of A, or columns of B.
  std::uint32_t address(unsigned row, unsigned k) const;
};

/// What a tile must hold.
struct tile_extent {
  unsigned rows, k;  ///< elements
  unsigned element_bytes;
  bool is_k_major;
};

/// Shared memory that tiles may use.
struct byte_window {
  std::uint32_t begin, end;
};

/// A tile of any legal layout inside a window. `in_32`: swizzled in 32 bytes, as MN-major tiles of 32-bit elements must be.
shared_tile random_tile(random_numbers& random, const tile_extent& extent, const byte_window& window, bool in_32 = false);

}  // namespace tc::tensor_programs
