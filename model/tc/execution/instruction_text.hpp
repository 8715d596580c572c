// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/isa/instruction.hpp>

namespace tc::execution {

/// Whether the opcode of an instruction has a suffix, as written: of those that change what it does and are not among its modifiers.
bool has_suffix(const isa::instruction& code, std::string_view suffix);

}  // namespace tc::execution
