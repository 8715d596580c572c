// SPDX-License-Identifier: Apache-2.0
#include "wmma_layout.hpp"

#include <algorithm>
#include <array>
#include <vector>

namespace tc::isa {
namespace {

constexpr matrix_position row(unsigned n) { return row_step(n); }
constexpr matrix_position column(unsigned n) { return column_step(n); }
constexpr matrix_position copy = copy_step;

using tiles = std::vector<matrix_position>;

/// The tiles of a wmma from Turing on, for the shapes and element types that share them.
struct wmma_tiles {
  unsigned m, n;
  std::vector<element_type> types;  ///< of A and B
  tiles a, b, c;                    ///< C and D have one layout
  tile_lines c_lines = tile_lines::rows;
  architecture_range architectures = turing_on;
};

using type = element_type;

/// An m8n32 made of instructions with m = 16 is computed transposed; only Turing has one for integers with m = 8.
const std::vector<wmma_tiles>& all_tiles() {
  static const std::vector<wmma_tiles> table{
      {16, 16, {type::f16}, {row(8), column(8), copy}, {row(8), column(8), copy}, {row(8), column(8)}},
      {32, 8, {type::f16}, {row(8), column(8), row(16)}, {row(8), copy, copy}, {row(8), row(16)}},
      {8, 32, {type::f16}, {column(8), copy, copy}, {column(8), row(8), column(16)}, {column(8), column(16)}, tile_lines::columns},
      {16, 16, {type::bf16}, {row(8), column(8)}, {row(8), column(8)}, {row(8), column(8)}},
      {32, 8, {type::bf16}, {row(8), column(8), row(16)}, {row(8)}, {row(8), row(16)}},
      {8, 32, {type::bf16}, {column(8)}, {column(8), row(8), column(16)}, {column(8), column(16)}, tile_lines::columns},
      {16, 16, {type::tf32}, {row(8), column(4)}, {row(4), column(8)}, {row(8), column(8)}},
      {16, 16, {type::s8, type::u8}, {row(8)}, {column(8)}, {row(8), column(8)}},
      {32, 8, {type::s8, type::u8}, {row(8), row(16)}, {}, {row(8), row(16)}},
      {8, 32, {type::s8, type::u8}, {}, {column(8), column(16)}, {column(8), column(16)}, tile_lines::rows, turing_only},
      {8, 32, {type::s8, type::u8}, {}, {column(8), column(16)}, {column(8), column(16)}, tile_lines::columns, ampere_on},
      {8, 8, {type::f64, type::s4, type::u4, type::b1}, {}, {}, {}},
  };
  return table;
}

linear_layout tiled(const wmma_tiles& shape, fragment which, unsigned run) {
  if (which == fragment::a) return tiled_layout(tile_lines::rows, run, shape.a);
  if (which == fragment::b) return tiled_layout(tile_lines::columns, run, shape.b);
  return tiled_layout(shape.c_lines, 2, shape.c);
}

/// What the two bits of a quad pair's number mean on Volta, for A, B and C: quad pairs 1 and 3 compute the lower eight rows of m16n16k16,
/// 2 and 3 the right eight columns; of the other shapes all four lie side by side.
struct quad_pair_tiles {
  std::array<matrix_position, 2> a, b, c;
};

quad_pair_tiles quad_pairs_of(unsigned m) {
  switch (m) {
    case 32:
      return {{row(8), row(16)}, {copy, copy}, {row(8), row(16)}};
    case 8:
      return {{copy, copy}, {column(8), column(16)}, {column(8), column(16)}};
    default:
      return {{row(8), copy}, {copy, column(8)}, {row(8), column(8)}};
  }
}

/// Each of Volta's four sets of HMMA.884 takes the next four of k.
linear_layout octets(const mma_operation& mma, fragment which) {
  const unsigned element_bits = bits(type_of(mma, which));
  const quad_pair_tiles pairs = quad_pairs_of(mma.m);
  if (which == fragment::a) return quad_pair_layout(which, mma.a_column, element_bits, {pairs.a[0], pairs.a[1], {column(4), column(8)}});
  if (which == fragment::b) return quad_pair_layout(which, mma.b_column, element_bits, {pairs.b[0], pairs.b[1], {row(4), row(8)}});
  return quad_pair_layout(which, false, element_bits, {pairs.c[0], pairs.c[1], {}});
}

}  // namespace

std::optional<fragment_layout> wmma_layout(const mma_operation& mma, fragment which, architecture arch) {
  if (info(arch).octet_steps) {
    if (mma.a != type::f16) return std::nullopt;
    return fragment_layout(mma, which, octets(mma, which));
  }
  const auto& table = all_tiles();
  const auto found = std::find_if(table.begin(), table.end(), [&](const wmma_tiles& shape) {
    return shape.architectures.contains(arch) && shape.m == mma.m && shape.n == mma.n &&
           std::find(shape.types.begin(), shape.types.end(), mma.a) != shape.types.end();
  });
  if (found == table.end()) return std::nullopt;
  return fragment_layout(mma, which, tiled(*found, which, std::max(1U, 32 / bits(mma.a))));
}

bool is_inferred_wmma_layout(const mma_operation& mma, architecture arch) { return info(arch).octet_steps && (mma.m != 16 || mma.n != 16); }

}  // namespace tc::isa
