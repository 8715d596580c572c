// SPDX-License-Identifier: Apache-2.0
#include "wmma_sets.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/wmma_layout.hpp>

namespace tc::isa {
namespace {

/// The shape of the instruction that computes a part of a wmma.
struct part_shape {
  unsigned m, n, k;
};

/// Decoded from what ptxas of CUDA 13 compiles for sm_75 to sm_100. An m8n32 made of instructions with m = 16 is computed transposed.
std::optional<part_shape> part_of(const mma_operation& mma, architecture arch) {
  switch (bits(mma.a)) {
    case 64:
      return part_shape{8, 8, 4};
    case 32:
      return part_shape{16, 8, 4};
    case 16:
    case 8: {
      const bool has_k16 = has_mma(arch, mma.a, 16, 8, 16);
      if (!has_k16 && bits(mma.a) == 8) return part_shape{8, 8, 16};
      const unsigned k = has_k16 ? 16 : 8;
      return mma.m == 8 ? part_shape{8, 16, k} : part_shape{16, 8, k};
    }
    default:
      break;
  }
  // 4-bit integers and single bits: where there is no instruction for the whole shape, compilers use other ones.
  if (!has_mma(arch, mma.a, mma.m, mma.n, mma.k, mma.combine)) return std::nullopt;
  return part_shape{mma.m, mma.n, mma.k};
}

/// The registers that hold a block of an operand, the first copy of each element.
std::vector<unsigned> registers_of(const fragment_layout& layout, unsigned first_row, unsigned rows, unsigned first_column,
                                   unsigned columns) {
  std::set<unsigned> registers;
  for (unsigned row = first_row; row < first_row + rows; ++row) {
    for (unsigned column = first_column; column < first_column + columns; ++column) registers.insert(layout.holder(row, column)->reg);
  }
  return {registers.begin(), registers.end()};
}

}  // namespace

std::vector<wmma_set> wmma_sets(const mma_operation& mma, architecture arch) {
  const auto a = wmma_layout(mma, fragment::a, arch), b = wmma_layout(mma, fragment::b, arch), c = wmma_layout(mma, fragment::c, arch);
  const auto part = info(arch).octet_steps || !a ? std::nullopt : part_of(mma, arch);
  if (!part) throw std::invalid_argument("it is not known which instructions compute this wmma on " + std::string(name(arch)));
  std::vector<wmma_set> sets;
  for (unsigned k = 0; k < mma.k; k += part->k) {
    for (unsigned n = 0; n < mma.n; n += part->n) {
      for (unsigned m = 0; m < mma.m; m += part->m) {
        sets.push_back({m, part->m, n, part->n, k, part->k, registers_of(*a, m, part->m, k, part->k),
                        registers_of(*b, k, part->k, n, part->n), registers_of(*c, m, part->m, n, part->n), part->n > part->m});
      }
    }
  }
  return sets;
}

}  // namespace tc::isa
