// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <tc/isa/register_use.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// A register name, decoded.
struct register_name {
  register_file file = register_file::none;
  std::uint8_t index = 0;
};

/// Decodes R12, RZ, UR4, URZ, P0, PT, UP1, UPT, PR, UPR, B0, SB0; file none if the text is no register name. Throws syntax_error if it is
/// one with a number that the file does not have.
register_name parse_register_name(std::string_view text, const source_text& source);

}  // namespace tc::isa
