// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/isa/linear_layout.hpp>

namespace tc::isa {

/// The operand of a matrix instruction that a warp's registers hold. C and D have one layout and may differ in element type.
enum class fragment : std::uint8_t { a, b, c, d };

/// What the eight threadgroups (lane / 4) of a warp count in a tile.
enum class tile_lines : std::uint8_t { rows, columns };

/// The layout of a fragment built of tiles, as all are from Turing on (fragment figures of the PTX ISA): in a tile, threadgroup g holds
/// line g, and each of its four lanes `run` neighbours of the line. Each step of `tiles` says where the tile lies that the next bit of the
/// element number selects. `run` is a power of two.
linear_layout tiled_layout(tile_lines lines, unsigned run, const std::vector<matrix_position>& tiles);

/// What the two bits of a quad pair's number (lane / 4 modulo 4) mean, and the bits of the element number beyond an 8x8x4.
struct quad_pair_steps {
  matrix_position low, high;
  std::vector<matrix_position> further;
};

/// The layout of a fragment on Volta, where the eight lanes of a quad pair, also called octet, hold an 8x8x4 between them (PTX ISA, mma
/// m8n8k4; Raihan et al., ISPASS 2019, table II). `by_columns` says that a lane holds a column of A or of B; it does not matter to C and D.
linear_layout quad_pair_layout(fragment which, bool by_columns, unsigned element_bits, const quad_pair_steps& steps);

}  // namespace tc::isa
