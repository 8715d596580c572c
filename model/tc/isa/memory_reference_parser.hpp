#pragma once

#include <string_view>

#include <tc/isa/instruction.hpp>
#include <tc/isa/syntax_error.hpp>

namespace tc::isa {

/// A register name, decoded.
struct register_name {
  register_file file = register_file::none;
  std::uint8_t index = 0;
};

/// Decodes R12, RZ, UR4, URZ, P0, PT, UP1, UPT, PR, UPR, B0, SB0; file none if the text is no register name. Throws syntax_error if it is
/// one with a number that the file does not have.
register_name parse_register_name(std::string_view text, const source_text& source);

/// Reads what stands between the brackets of an address: "R2.64+UR4+0x10", "R8.X16+-0x20", "UR4", "0x200". The base has one register
/// unless written with .64. Throws syntax_error.
memory_reference parse_memory_reference(std::string_view text, const source_text& source);

}  // namespace tc::isa
