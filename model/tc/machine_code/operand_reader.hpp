// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tc/machine_code/form.hpp>
#include <tc/machine_code/table_scanner.hpp>

namespace tc::machine_code {

/// The operands of a form, as a table writes them behind the colon. The first digit of `opcode` says what stands in the slots B
/// and C; their registers are uniform ones if `is_uniform`.
/// Throws std::invalid_argument.
std::vector<operand_form> operands_of(std::string_view text, std::uint16_t opcode, bool is_uniform, const table_names& names);

}  // namespace tc::machine_code
