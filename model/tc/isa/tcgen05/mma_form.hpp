// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/matrix_descriptor.hpp>

namespace tc::isa {

/// How many CTAs carry out an instruction together, .cta_group::1 or ::2 (PTX ISA, tcgen05). The CTAs of a pair are those of a cluster
/// whose ranks differ only in bit 0; CTA 0 of the pair is the one of even rank.
enum class cta_group : std::uint8_t { one = 1, two = 2 };

constexpr unsigned ctas(cta_group group) { return static_cast<unsigned>(group); }

/// Kinds of tcgen05.mma (PTX ISA): .kind::f16 and so on.
enum class mma_kind : std::uint8_t { f16, tf32, f8f6f4, i8, mxf8f6f4, mxf4, mxf4nvf4 };

/// Scales of a row of A, or a column of B, in an instruction: .scale_vec::1X, 2X and 4X.
enum class scale_vector : std::uint8_t { none, x1, x2, x4 };

/// As PTX spells it behind ".kind::".
std::string_view name(mma_kind kind);
std::optional<mma_kind> find_mma_kind(std::string_view text);

/// "scale_vec::1X"; empty for none.
std::string_view name(scale_vector scales);

/// What ".scale_vec::2X" or ".block32", without the dot, mean for a kind; nothing if it takes no such qualifier.
std::optional<scale_vector> find_scale_vector(mma_kind kind, std::string_view text);

/// The vector of a kind whose name has no such qualifier; nothing if it must have one (mxf4nvf4).
std::optional<scale_vector> default_scale_vector(mma_kind kind);

/// Whether products are scaled by blocks of K.
constexpr bool is_block_scaled(mma_kind kind) { return kind >= mma_kind::mxf8f6f4; }

/// Scales of a row in an instruction: 0, 1, 2 or 4.
constexpr unsigned scales(scale_vector vector) { return vector == scale_vector::none ? 0 : 1U << (static_cast<unsigned>(vector) - 1); }

/// K of an instruction: 32 bytes of each row, twice that of A's elements if they are sparse (PTX ISA, table of shapes).
unsigned mma_k(mma_kind kind, bool sparse);

/// What the name of a tcgen05.mma says of its matrices.
struct mma_form {
  mma_kind kind = mma_kind::f16;
  cta_group group = cta_group::one;
  bool weight_stationary = false;            ///< .ws
  bool sparse = false;                       ///< .sp
  scale_vector scales = scale_vector::none;  ///< of block-scaled kinds
};

/// Why there is no such form, empty if there is: .ws of two CTAs or of a block-scaled kind, scales that the kind does not have.
std::string mma_form_mistake(const mma_form& form);

/// K of the instructions: 32 bytes of a row of A and of a column of B, twice the elements if A is sparse (PTX ISA, table of shapes).
inline unsigned mma_k(const mma_form& form) { return mma_k(form.kind, form.sparse); }

/// The values of M and of N that a form has (PTX ISA, table of shapes).
std::vector<unsigned> mma_rows(const mma_form& form);
std::vector<unsigned> mma_columns(const mma_form& form);

/// Why no matrix in shared memory lies so, empty if it may: a kind does not transpose, or transposes only with one swizzle (PTX ISA).
std::string mma_swizzle_mistake(mma_kind kind, matrix_major major, swizzle_mode swizzle);

}  // namespace tc::isa
