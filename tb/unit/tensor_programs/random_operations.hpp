// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "lane_mover.hpp"
#include "matrix_instruction.hpp"
#include "random_numbers.hpp"
#include "warp_access.hpp"

namespace tc::tensor_programs {

/// Columns of tensor memory that hold what matrix instructions demand of scales and of sparsity metadata: any value else is an error, or
/// makes every sum NaN.
struct special_columns {
  static constexpr unsigned scales = 8, codes_of_four = 4, codes_of_two = 4, all = scales + codes_of_four + codes_of_two;
  unsigned first = 0;

  unsigned first_scale() const { return first; }
  unsigned first_code_of_four() const { return first + scales; }
  unsigned first_code_of_two() const { return first + scales + codes_of_four; }
};

/// Where instructions may go.
struct column_region {
  unsigned first, count;
  std::optional<special_columns> specials{};
};

/// Shared memory: of all tiles but those of scales, and of those.
constexpr byte_window tile_window{0x1000, 0x8000}, scale_window{0x800, 0x1000};

constexpr unsigned scale_copy_columns = 4;

/// Regions are at least 16 columns wide.
warp_access random_access(random_numbers& random, const column_region& region, unsigned warp, bool is_load);
/// Of scales to all chunks.
tile_copy random_scale_copy(random_numbers& random, unsigned column);
tile_copy random_copy(random_numbers& random, const column_region& region);
/// `last`: an instruction whose sums this one may go on with. Regions are at least 24 columns wide.
matrix_instruction random_matrix_instruction(random_numbers& random, const column_region& region,
                                             const std::optional<matrix_instruction>& last);

}  // namespace tc::tensor_programs
