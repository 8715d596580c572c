// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/modifiers.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// A mnemonic with its dotted suffixes, decoded.
struct mnemonic {
  const opcode_info* info = nullptr;
  modifiers mods{};
  std::optional<mma_operation> mma;  ///< of a matrix multiply-accumulate
};

/// Decodes a mnemonic such as "IMAD.WIDE.U32", a part of `source`. Throws syntax_error if the opcode, a suffix or the combination does not
/// exist or `arch` does not have it.
mnemonic parse_mnemonic(std::string_view text, architecture arch, const source_text& source);

}  // namespace tc::isa
