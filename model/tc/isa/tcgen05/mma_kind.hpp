// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tc::isa {

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

}  // namespace tc::isa
