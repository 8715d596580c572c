// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tc/trace/lanes.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// The parts of an instruction line: `/*pc*/ [control] [@predicate] OPCODE operands [mask XXXXXXXX] [@ addresses]`.
struct instruction_line {
  static constexpr std::size_t absent = static_cast<std::size_t>(-1);

  std::optional<std::uint32_t> pc;  ///< nothing on a line of PTX that has none
  std::string_view code;            ///< [control] [@predicate] OPCODE operands
  std::size_t code_position = 0;    ///< of `code` in the line
  std::optional<std::uint32_t> mask;
  std::size_t mask_position = absent;       ///< of the mask's digits
  std::size_t addresses_position = absent;  ///< of what follows the `@`; the cursor stands there
};

/// Splits an instruction line. The cursor is left at the addresses, or at the end if there are none. Throws trace_error.
instruction_line split_instruction(text_cursor& in);

/// Reads what follows the `@` of an instruction line: `base+stride`, a single base for all lanes, or `{a, b, ...}` with one address for
/// each of `lanes` in lane order. A trace_error if their number is another, or an address is not below address_limit.
void parse_addresses(text_cursor& in, lane_mask lanes, address_list& addresses);

}  // namespace tc::trace
