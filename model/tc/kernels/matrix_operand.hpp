// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/element_type.hpp>

namespace tc::kernels {

/// ".F32" and so on: an element type as mnemonics write it.
std::string type_suffix(isa::element_type type);

/// The operand of a matrix instruction that takes the registers `indices` of a fragment whose registers are `names`: the first of them, as
/// they must follow each other, aligned to their number; "RZ" if all read as zero. `role` names the fragment in messages. Throws
/// isa::syntax_error.
std::string operand_text(const std::vector<unsigned>& names, const std::vector<unsigned>& indices, std::string_view role);

}  // namespace tc::kernels
