// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tc/isa/register_mma.hpp>

namespace tcsim {

/// The operands of an operation as a picture: A left of C and D, B above them, lane and register in each cell, a colour for each
/// threadgroup; `only` that operand if given. A standalone SVG document.
std::string layout_svg(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<tc::isa::fragment> only);

}  // namespace tcsim
