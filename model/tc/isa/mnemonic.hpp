// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/modifiers.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// Decodes the suffixes of a matrix instruction, such as "16816.F32.BF16" of HMMA, a part of `source`. Throws syntax_error if the operation
/// does not exist or `arch` does not have it.
mma_operation parse_mma_suffixes(opcode op, std::string_view suffixes, architecture arch, const source_text& source);

/// A mnemonic with its dotted suffixes, decoded.
struct mnemonic {
  const opcode_info* info = nullptr;
  modifiers mods{};
  std::optional<mma_operation> mma;  ///< of a matrix multiply-accumulate
};

/// Decodes a mnemonic such as "IMAD.WIDE.U32", a part of `source`. Throws syntax_error if the opcode, a suffix or the combination does not
/// exist or `arch` does not have it. What `shapes` declares exists on every architecture.
mnemonic parse_mnemonic(std::string_view text, architecture arch, const source_text& source,
                        const matrix_shape_table& shapes = matrix_shape_table::hardware());

/// Whether an architecture has an instruction of this mnemonic without any that is declared.
bool is_hardware_mnemonic(std::string_view text, architecture arch);

}  // namespace tc::isa
