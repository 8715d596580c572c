// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "instruction_templates.hpp"

namespace tcsim::random_programs {

/// A tensor in global memory, and the box of it that a bulk tensor copy moves.
struct random_tensor {
  static constexpr unsigned most_dimensions = 5;

  bool is_im2col = false, has_nan = false;
  std::string_view type;
  unsigned element_bytes = 1, rank = 1;
  std::uint64_t base = 0;
  std::array<unsigned, most_dimensions> sizes{1, 1, 1, 1, 1}, strides{}, box{1, 1, 1, 1, 1}, element_strides{1, 1, 1, 1, 1};
  std::array<int, 3> lower{}, upper{};  ///< corners of the window of im2col
  unsigned channels = 0, pixels = 0;
  unsigned swizzle_bytes = 0;  ///< 0: none

  /// The line of a trace's header.
  std::string header_line(std::uint64_t address) const;
  /// Bytes that a copy moves, and those of shared memory that they lie in.
  unsigned bytes() const { return rows() * row_bytes(); }
  unsigned span() const { return rows() * (swizzle_bytes != 0 ? swizzle_bytes : row_bytes()); }
  /// "2d", "{-3, 7}", and ", {1}" of im2col: names the dimensions, and a box at random, which may lie outside in part or as a whole.
  std::string dimensions() const;
  std::string random_coordinates(random_numbers& random) const;
  std::string random_offsets(random_numbers& random) const;

 private:
  unsigned rows() const;
  unsigned row_bytes() const { return (is_im2col ? channels : box[0]) * element_bytes; }
};

/// A tensor in so many bytes of memory from an address on, a multiple of 16. Of one that is written no two elements are the same bytes.
random_tensor make_random_tensor(random_numbers& random, std::uint64_t base, unsigned bytes, bool is_written);

}  // namespace tcsim::random_programs
