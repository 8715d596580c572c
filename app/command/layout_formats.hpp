// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tc/isa/register_mma.hpp>

namespace tcsim {

/// The operands of an operation as matrices of "lane:register.element", for a terminal; `only` that operand if given.
std::string layout_text(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<tc::isa::fragment> only);

/// The operands of an operation as JSON, a line for each lane and for each row; `only` that operand if given. Keys of an operand:
/// `lanes` [lane][element] = [row, column]; `holders` [matrix][row][column] = [[lane, register, element in the register], ...];
/// `matrix_of_lane` [lane], the quad pair, 0 for all in operations with one matrix; counts and types as their names say.
std::string layout_json(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<tc::isa::fragment> only);

/// The operands of an operation as a picture: A left of C and D, B above them, lane and register in each cell, a colour for each
/// threadgroup; `only` that operand if given. A standalone SVG document.
std::string layout_svg(const tc::isa::register_mma& operation, std::string_view architecture, std::optional<tc::isa::fragment> only);

}  // namespace tcsim
