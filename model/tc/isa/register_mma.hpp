// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// A matrix multiply-accumulate whose operands lie in a warp's registers, and who holds what of them: of mma.sync and of wmma in PTX, or of
/// an instruction of the hardware.
struct register_mma {
  std::string name;  ///< in full, of PTX or of the instruction
  mma_operation mma;
  std::vector<fragment_layout> layouts;  ///< of A, B, C and D; they know the registers of an operand, also where wmma repeats some
  bool inferred = false;                 ///< whether the layouts are inferred, and neither published nor recorded

  const fragment_layout& layout(fragment which) const { return layouts.at(static_cast<std::size_t>(which)); }
};

/// The operation that `text` names, as PTX does (see parse_ptx_mma), as a mnemonic such as "HMMA.16816.F32", or as an instruction with its
/// operands, such as "HMMA.884.F32.F32.STEP2 R12, R2.ROW, R4.COL, R12"; the mnemonic alone stands for .ROW and .COL. `column` is that of
/// the first character, for errors. Throws syntax_error: no such operation, `arch` does not have it, or its layout is not known. Every
/// architecture has the instructions that `shapes` declares.
register_mma parse_register_mma(std::string_view text, architecture arch, unsigned column = 1,
                                const matrix_shape_table& shapes = matrix_shape_table::hardware());

/// Names of the PTX operations of an architecture whose layouts are known, A and B being of one element type, and C and D too; those of
/// wmma are short, such as "wmma.m16n16k16.f16.f32".
std::vector<std::string> register_mma_names(architecture arch);

}  // namespace tc::isa
