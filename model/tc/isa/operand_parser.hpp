// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// How the lanes hold a matrix operand: .ROW, .COL (.T in older disassemblies).
enum class lane_layout : std::uint8_t { unnamed, row, column };

/// An operand with what its role in the instruction still has to be checked against. Register counts and slots are not filled in yet.
struct parsed_operand {
  operand value;
  lane_layout layout = lane_layout::unnamed;
  std::string_view text;  ///< as written, a part of the source
};

/// Reads a comma-separated operand list, a part of `source`. Throws syntax_error.
std::vector<parsed_operand> parse_operands(std::string_view text, number_style style, const source_text& source);

/// Reads "@P0", "@!UP1". Throws syntax_error.
guard_predicate parse_guard(std::string_view text, const source_text& source);

}  // namespace tc::isa
