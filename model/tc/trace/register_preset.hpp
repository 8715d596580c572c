// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/isa/register_use.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// The value of a register before a warp's first instruction. Registers without one are undefined, not zero.
struct register_preset {
  isa::register_file file = isa::register_file::vector;  ///< vector, uniform, predicate or uniform_predicate
  std::uint8_t index = 0;
  std::array<std::uint32_t, warp_lanes> values{};  ///< by lane; all equal in the uniform files
};

/// Registers of a file that can have a preset, if a thread has `registers` vector registers; 0 for files that have none.
unsigned register_count(isa::register_file file, unsigned registers);

/// Reads what follows `reg`: a register below `registers` (R), or of the other files, then one value for all lanes or `{v, v, ...}`
/// with 32.
register_preset parse_register_preset(text_cursor& in, unsigned registers);

}  // namespace tc::trace
