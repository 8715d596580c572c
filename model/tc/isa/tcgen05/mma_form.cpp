// SPDX-License-Identifier: Apache-2.0
#include "mma_form.hpp"

#include <array>
#include <cstddef>

#include <fmt/format.h>

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

namespace {

constexpr unsigned largest_n = 256;

bool is_scaled_by(mma_kind kind, scale_vector scales) {
  return is_block_scaled(kind) ? find_scale_vector(kind, name(scales)) == scales : scales == scale_vector::none;
}

}  // namespace

std::string mma_form_mistake(const mma_form& form) {
  if (form.weight_stationary && form.group != cta_group::one) return "tcgen05.mma.ws is of .cta_group::1 only";
  if (form.weight_stationary && is_block_scaled(form.kind)) {
    return fmt::format("tcgen05.mma.ws has no .kind::{}, which scales blocks", name(form.kind));
  }
  if (is_scaled_by(form.kind, form.scales)) return {};
  if (form.scales == scale_vector::none) return fmt::format(".kind::{} needs a vector of scales", name(form.kind));
  return fmt::format(".kind::{} takes no .{}", name(form.kind), name(form.scales));
}

std::vector<unsigned> mma_rows(const mma_form& form) {
  if (form.weight_stationary) return {32, 64, 128};
  const bool scaled = is_block_scaled(form.kind);
  if (form.group == cta_group::one) return scaled ? std::vector<unsigned>{128} : std::vector<unsigned>{64, 128};
  return scaled && form.sparse ? std::vector<unsigned>{256} : std::vector<unsigned>{128, 256};
}

std::vector<unsigned> mma_columns(const mma_form& form) {
  if (form.weight_stationary) return form.sparse ? std::vector<unsigned>{64, 128} : std::vector<unsigned>{64, 128, 256};
  const bool integers = form.kind == mma_kind::i8, one = form.group == cta_group::one;
  const unsigned step = (integers ? 16 : 8) * ctas(form.group);
  std::vector<unsigned> columns;
  columns.reserve(largest_n / step + 2);
  if (integers && one) columns = {8, 16, 24};
  for (unsigned n = integers && one ? 32 : step; n <= largest_n; n += step) columns.push_back(n);
  return columns;
}

std::string mma_swizzle_mistake(mma_kind kind, matrix_major major, swizzle_mode swizzle) {
  const bool atoms = swizzle == swizzle_mode::bytes_128_atom_32;
  if (major == matrix_major::k) return atoms ? "no K-major matrix is swizzled in 32 bytes" : "";
  if (kind == mma_kind::mxf4 || kind == mma_kind::mxf4nvf4) return fmt::format("the matrices of .kind::{} are K-major", name(kind));
  if (atoms == (kind == mma_kind::tf32)) return {};
  return atoms ? fmt::format("no transposed matrix of .kind::{} is swizzled in 32 bytes", name(kind))
               : fmt::format("a transposed matrix of .kind::{} must be swizzled in 32 bytes ({}), not {}", name(kind),
                             name(swizzle_mode::bytes_128_atom_32), name(swizzle));
}

}  // namespace tc::isa
