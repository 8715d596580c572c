// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/isa/instruction.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// Reads what stands between the brackets of an address: "R2.64+UR4+0x10", "R8.X16+-0x20", "UR4", "0x200". The base has one register
/// unless written with .64. Throws syntax_error.
memory_reference parse_memory_reference(std::string_view text, const source_text& source);

}  // namespace tc::isa
