// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tc/isa/register_mma.hpp>

namespace tcsim {

/// The operands of an operation as matrices of "lane:register.element", for a terminal; `only` that operand if given.
std::string layout_text(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<tc::isa::fragment> only);

}  // namespace tcsim
