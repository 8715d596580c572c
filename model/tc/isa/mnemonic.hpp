#pragma once

#include <optional>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/modifiers.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/syntax_error.hpp>

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

/// Decodes the suffixes of a matrix instruction: "16816.F32.BF16" of HMMA. Errors as parse_mnemonic.
mma_operation parse_mma_suffixes(opcode op, std::string_view suffixes, architecture arch, const source_text& source);

/// "sm_75 and later", "sm_80 to sm_89": for messages.
std::string describe(architecture_range range);

/// Takes the text before the next `separator` off the front of `text`; all of it if there is none.
std::string_view take_until(std::string_view& text, char separator);

}  // namespace tc::isa
