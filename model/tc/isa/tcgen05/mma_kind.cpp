// SPDX-License-Identifier: Apache-2.0
#include "mma_kind.hpp"

#include <array>
#include <cstddef>

namespace tc::isa {
namespace {

constexpr std::array<std::string_view, 7> kind_names{"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"};
constexpr std::array<std::string_view, 4> vector_names{"", "scale_vec::1X", "scale_vec::2X", "scale_vec::4X"};

/// A way to write the scales of a kind. A kind's first row is what it means without a qualifier, if it may go without.
struct vector_row {
  mma_kind kind;
  scale_vector vector;
  std::string_view block;  ///< the same by the elements that share a scale
};

// PTX ISA, tcgen05.mma, "Block scaling" and the table of scale vectors.
constexpr std::array<vector_row, 4> vector_rows{{
    {mma_kind::mxf8f6f4, scale_vector::x1, "block32"},
    {mma_kind::mxf4, scale_vector::x2, "block32"},
    {mma_kind::mxf4nvf4, scale_vector::x2, "block32"},
    {mma_kind::mxf4nvf4, scale_vector::x4, "block16"},
}};

}  // namespace

std::string_view name(mma_kind kind) { return kind_names.at(static_cast<std::size_t>(kind)); }

std::optional<mma_kind> find_mma_kind(std::string_view text) {
  for (std::size_t index = 0; index < kind_names.size(); ++index) {
    if (kind_names[index] == text) return static_cast<mma_kind>(index);
  }
  return std::nullopt;
}

std::string_view name(scale_vector scales) { return vector_names.at(static_cast<std::size_t>(scales)); }

std::optional<scale_vector> find_scale_vector(mma_kind kind, std::string_view text) {
  for (const vector_row& row : vector_rows) {
    if (row.kind == kind && (text == row.block || text == name(row.vector))) return row.vector;
  }
  return std::nullopt;
}

std::optional<scale_vector> default_scale_vector(mma_kind kind) {
  if (!is_block_scaled(kind)) return scale_vector::none;
  if (kind == mma_kind::mxf4nvf4) return std::nullopt;
  return kind == mma_kind::mxf4 ? scale_vector::x2 : scale_vector::x1;
}

unsigned mma_k(mma_kind kind, bool sparse) {
  const bool half_words = kind == mma_kind::f16, words = kind == mma_kind::tf32;
  const bool nibbles = kind == mma_kind::mxf4 || kind == mma_kind::mxf4nvf4;
  const unsigned dense = words ? 8 : half_words ? 16 : nibbles ? 64 : 32;
  return sparse ? 2 * dense : dense;
}

}  // namespace tc::isa
